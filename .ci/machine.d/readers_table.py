"""Every reader: found, asked, a card set up on it, 50 signatures, unplugged and removed in the middle."""

import longest as longest_service
import longest_nfc
from bench import Card
from machine import Fault
from report import expect

# The simulated model, the backend that drives it, and what the reader is called there.
ROWS = [
    ("acr1252u", "pcsc", "ACS ACR1252"),
    ("acr122u", "pcsc", "ACS ACR122U"),
    ("omnikey5022", "pcsc", "HID Global OMNIKEY 5022"),
    ("utrust3700f", "pcsc", "Identiv uTrust 3700 F"),
    ("acr122u", "nfc", "NFC reader acr122_usb"),
    ("scl3711", "nfc", "NFC reader pn53x_usb"),
    ("pn533", "nfc", "NFC reader pn53x_usb"),
]
SIGNATURES = 50
# Enough for an end in the middle: after the first of so many signatures, and, as each takes an exchange, before the last.
SOME, HALFWAY = 24, 16
# How many bytes of data go there at once, where it is fewer than 255: libnfc's driver puts the whole command, with what it
# and the chip need, into a command of the reader's.
LIMITS = {(model, "nfc"): 247 for model in ("acr122u", "touchatag", "acr1222")}
# PC/SC readers that take no command of extended length; the others take one in parts.
SHORT = ("acr122u",)


class Sitting:
    """One reader with a fresh card on it."""

    def __init__(self, bench, model, backend, port=1):
        self.bench, self.model, self.backend, self.port = bench, model, backend, port
        self.card = Card(bench, "--product", "tapsigner", "--wait-ms", "0")
        self.account = None
        self.count = 0

    def plug(self, *options):
        return self.bench.plug(self.model, self.card, self.port, options)

    def begin(self, verb, *arguments):
        return self.bench.begin(verb, "--json", "--reader", self.backend, *arguments, card=self.card)

    def run(self, verb, *arguments):
        return self.begin(verb, *arguments).result()

    def unsigned(self, inputs):
        """The file of a PSBT that was not signed before."""
        self.count += 1
        file = f"/tmp/{self.card.ident}-{self.count}.psbt"
        self.bench.give(file, self.bench.psbt(self.account, inputs, self.count))
        return file

    def begin_signing(self, inputs=SOME):
        return self.begin("sign", self.unsigned(inputs), "--yes", "--wait")

    def signed(self, job, inputs=SOME):
        answer = job.result().succeeded().json
        expect((answer["signed"], answer["complete"]) == (inputs, True), answer)


def seen(reader, pattern, job):
    """Waits until something happens to the reader while a command runs."""
    try:
        reader.line(pattern)
    except Fault as fault:
        raise Fault(f"{fault}; {job.result()}") from None


def listed(sitting, name):
    readers = sitting.run("readers", "--wait").succeeded().json["readers"]
    reader = readers[0]
    expect(name in reader["name"] and reader["backend"] == sitting.backend, f"{name}: {reader}")
    # The ACR1252U has a second slot, for a card of its own.
    expect(len([reader for reader in readers if "SAM" not in reader["name"]]) == 1, f"one reader: {readers}")
    expect(reader.get("card", {}).get("ident") == sitting.card.ident, f"the card: {reader}")
    expect(reader["card"]["simulated"], f"SIMULATED: {reader}")


def told(sitting):
    answer = sitting.run("status", "--wait").succeeded().json
    expect((answer["ident"], answer["set_up"], answer["genuine"]) == (sitting.card.ident, False, False), answer)


def set_up(sitting, *arguments):
    backup = f"/tmp/{sitting.card.ident}.aes"
    answer = sitting.run("setup", "--yes", "--keep-cvc", "--backup", backup, *arguments).succeeded().json
    expect(answer["ident"] == sitting.card.ident, answer)
    sitting.account = answer


def sign(sitting):
    sitting.signed(sitting.begin_signing(SIGNATURES), SIGNATURES)


def unplugged(sitting):
    reader = sitting.plug("--usb-fault", f"unplug:{HALFWAY}")
    job = sitting.begin_signing()
    seen(reader, "unplugged", job)
    reader.leave()
    reader.put_back()
    sitting.signed(job)


def removed(sitting):
    reader = sitting.plug("--pull-at", f"{HALFWAY}:after")
    job = sitting.begin_signing()
    seen(reader, "Card removed", job)
    job.line("Card removed")
    reader.put_back()
    sitting.signed(job)


def longest(sitting):
    """Programs of others may send more than tapkit ever does."""
    limit = LIMITS.get((sitting.model, sitting.backend), 255)
    if sitting.backend == "pcsc":
        script = longest_service.SCRIPT
        words = ["short" if sitting.model in SHORT else "extended"]
    else:
        script = longest_nfc.SCRIPT
        # libnfc finds boards on serial ports only by their names.
        words = [str(limit)] + ([sitting.backend.removeprefix("nfc:")] if ":" in sitting.backend else [])
    answer = sitting.bench.machine.run("python3", "-c", script, *words, user="satoshi").succeeded().out.strip()
    expect(answer == "256", answer)
    return f"{limit} there"


FIRST = [("status", told), ("the longest commands there, 256 bytes back", longest), ("setup", set_up)]
CHECKS = FIRST + [
    (f"{SIGNATURES} signatures", sign),
    ("the reader is unplugged in the middle, and comes back", unplugged),
    ("the card is removed in the middle, and comes back", removed),
]


def run(bench, report):
    judge(bench, report, ROWS)


def judge(bench, report, rows, checks=CHECKS):
    for model, backend, name in rows:
        report.heading(f"{model} by {backend}")
        if backend == "nfc":
            bench.stop_service()
        sitting = Sitting(bench, model, backend)
        if report.check(f"{model} by {backend}: plugged in", sitting.plug):
            report.check(f"{model} by {backend}: readers", listed, sitting, name)
            for title, body in checks:
                report.check(f"{model} by {backend}: {title}", body, sitting)
        bench.clear()
        if backend == "nfc":
            bench.start_service()
