"""Further readers, judged like the others; those that differ from another one only in their identity, less."""

from bench import Card
from readers_table import FIRST, judge
from report import expect

# What they say of themselves differs, or what a driver does with them.
ROWS = [
    ("acr1252single", "pcsc", "ACS ACR1252 Reader"),
    ("acr1251u", "pcsc", "ACS ACR1251"),
    ("acr1255u", "pcsc", "ACS ACR1255U"),
    ("omnikey5427ck", "pcsc", "HID OMNIKEY 5427"),
    ("logo", "nfc", "NFC reader pn53x_usb"),
    ("touchatag", "nfc", "NFC reader acr122_usb"),
    ("pn531", "nfc", "NFC reader pn53x_usb"),
    ("s360", "nfc", "NFC reader pn53x_usb"),
]
# In this order, the uTrust 3700 F, the SCL3711, the ACR122U and the PN531 under other names. After the setup there is
# nothing new to judge.
ALIKE = [
    ("utrust3701f", "pcsc", "Identiv uTrust 3701 F"),
    ("scl3712", "nfc", "NFC reader pn53x_usb"),
    ("acr1222", "nfc", "NFC reader acr122_usb"),
    ("sonypn531", "nfc", "NFC reader pn53x_usb"),
]


def module_only(bench):
    """What pcscd sees of a Touchatag is its slot for a module, and never the card in the field."""
    bench.plug("touchatag", Card(bench))
    bench.until_listed()
    readers = bench.run("readers", "--json", "--reader", "pcsc").succeeded().json["readers"]
    expect(len(readers) == 1 and "ACS ACR 38U-CCID" in readers[0]["name"] and "card" not in readers[0], readers)
    result = bench.run("status", "--json", "--reader", "pcsc")
    expect((result.status, result.json["error"]["code"]) == (74, "not_a_tap_card"), result)
    diagnosis = bench.doctor("--reader", "pcsc")
    problems = diagnosis.problems("readers")
    expect((diagnosis.status, diagnosis.usable) == (69, False), diagnosis.findings)
    expect(len(problems) == 1 and "only its slot for a module" in problems[0]["evidence"]
           and "--reader nfc" in problems[0]["remedy"], diagnosis.findings)


def run(bench, report):
    judge(bench, report, ROWS)
    judge(bench, report, ALIKE, FIRST)
    report.check("touchatag by pcsc: listed, without a card", module_only, bench)
    bench.clear()
