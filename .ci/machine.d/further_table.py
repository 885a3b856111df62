"""Further readers, judged as the others: of most, only the identity and what they say of themselves differ."""

from readers_table import judge

ROWS = [
    ("acr1252single", "pcsc", "ACS ACR1252 Reader"),
    ("acr1251u", "pcsc", "ACS ACR1251"),
    ("acr1255u", "pcsc", "ACS ACR1255U"),
    ("omnikey5427ck", "pcsc", "HID OMNIKEY 5427"),
    ("utrust3701f", "pcsc", "Identiv uTrust 3701 F"),
    ("scl3712", "nfc", "NFC reader pn53x_usb"),
    ("logo", "nfc", "NFC reader pn53x_usb"),
    ("touchatag", "pcsc", "ACS ACR 38U-CCID"),
    ("touchatag", "nfc", "NFC reader acr122_usb"),
    ("acr1222", "nfc", "NFC reader acr122_usb"),
    ("pn531", "nfc", "NFC reader pn53x_usb"),
    ("sonypn531", "nfc", "NFC reader pn53x_usb"),
    ("s360", "nfc", "NFC reader pn53x_usb"),
]


def run(bench, report):
    judge(bench, report, ROWS)
