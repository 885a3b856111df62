"""Two readers at once, and a reader that two drivers could have."""

from bench import Card
from readers_table import SIGNATURES, Sitting, seen, set_up
from report import expect


class Two:
    def __init__(self, bench, kinds):
        self.bench, self.kinds, self.readers = bench, kinds, []
        self.cards = [Card(bench, "--wait-ms", "0", "--product", "tapsigner") for _ in kinds]

    def plug(self):
        self.readers = [self.bench.plug(model, card, port)
                        for port, (card, (model, _)) in enumerate(zip(self.cards, self.kinds), 1)]

    def listed(self):
        """`readers` tells the idents and backends of both."""
        self._until(sorted((card.ident, kind) for card, (_, kind) in zip(self.cards, self.kinds)), lambda: sorted(
            (reader.get("card", {}).get("ident", "none"), reader["backend"]) for reader in self._read()
            if "SAM" not in reader["name"]))

    def chosen(self):
        for card, (_, kind) in zip(self.cards, self.kinds):
            self.has(kind, card)

    def named(self):
        """libnfc's readers of one driver are named by bus and device."""
        names = ["nfc:pn53x_usb:" + ":".join(reader.node.split("/")[-2:]) for reader in self.readers]
        self._until({name: card.ident for name, card in zip(names, self.cards)}, lambda: {
            reader["spec"]: reader.get("card", {}).get("ident") for reader in self._read()})
        for name, card in zip(names, self.cards):
            self.has(name, card)

    def _read(self):
        return self.bench.run("readers", "--json").succeeded().json["readers"]

    def _until(self, wanted, look):
        """Waits until pcscd has noticed which readers there are."""
        self.bench.machine.until(lambda: look() == wanted, lambda: f"wanted {wanted}, found {look()}", limit=60)

    def has(self, reader, card):
        answer = self.bench.run("status", "--json", "--wait", "--reader", reader, card=card).succeeded().json
        expect(answer["ident"] == card.ident, answer)

    def set_up(self):
        """Both cards at the same time, each by a process of its own."""
        jobs = [self.bench.begin("setup", "--json", "--yes", "--keep-cvc", "--wait", "--reader", kind, "--backup",
                                 f"/tmp/{card.ident}-{kind}.aes", card=card)
                for card, (_, kind) in zip(self.cards, self.kinds)]
        for job, card in zip(jobs, self.cards):
            answer = job.result().succeeded().json
            expect(answer["ident"] == card.ident, answer)


def renumbered(bench):
    """pcscd numbers readers: one that comes back may get the number of another that has left."""
    machine = bench.machine
    first, second = Sitting(bench, "acr122u", "pcsc"), Sitting(bench, "acr122u", "pcsc")
    machine.shell("systemctl stop pcscd.service")
    left = bench.plug("acr122u", first.card, port=1)
    first.run("status", "--wait").succeeded()
    reader = bench.plug("acr122u", second.card, port=2, options=("--pull-at", "60:after"))
    set_up(second, "--wait")
    job = second.begin_signing(SIGNATURES)
    seen(reader, "Card removed", job)
    bench.unplug(left)
    bench.unplug(reader)
    # pcscd gives its number away only when it has noticed.
    machine.until(lambda: bench.run("readers", "--json", "--reader", "pcsc").status == 69,
                  lambda: "pcscd lists readers")
    bench.plug("acr122u", second.card, port=2)
    second.signed(job, SIGNATURES)


def left_alone(bench):
    """`readers` without --reader does not open what pcscd drives, which would take the reader from pcscd."""
    machine = bench.machine
    card = Card(bench, "--product", "tapsigner")
    bench.plug("acr122u", card)
    bench.run("status", "--json", "--wait", "--reader", "pcsc", card=card).succeeded()
    machine.shell("dmesg --clear")
    readers = bench.run("readers", "--json").succeeded().json
    expect([reader["backend"] for reader in readers["readers"]] == ["pcsc"], readers)
    expect(readers["readers"][0].get("card", {}).get("ident") == card.ident, readers)
    kernel = machine.shell("dmesg")
    expect("did not claim interface" not in kernel and "reset" not in kernel, kernel)
    bench.run("status", "--json", "--reader", "pcsc", card=card).succeeded()
    # Nor while a card is at work.
    sitting = Sitting(bench, "acr122u", "pcsc")
    sitting.plug()
    set_up(sitting, "--wait")
    job = sitting.begin_signing(SIGNATURES)
    job.line(f"signed|signature|of {SIGNATURES}")
    bench.run("readers", "--json")
    sitting.signed(job, SIGNATURES)


LISTED = ("both are listed, each with its card", Two.listed)
CHOSEN = ("each card is found", Two.chosen)
NAMED = ("both are listed by bus and device, and each is chosen by that", Two.named)
SET_UP = ("both cards are set up at the same time", Two.set_up)
ROWS = [
    ((("acr1252u", "pcsc"), ("utrust3700f", "pcsc")), (LISTED, CHOSEN)),
    ((("acr1252u", "pcsc"), ("acr1252u", "pcsc")), (LISTED, CHOSEN, SET_UP)),
    ((("omnikey5022", "pcsc"), ("scl3711", "nfc")), (LISTED, CHOSEN, SET_UP)),
    # First pcscd is to have the ACR122U, which libnfc finds, too.
    ((("acr122u", "pcsc"), ("scl3711", "nfc")), (CHOSEN, LISTED)),
    ((("scl3711", "nfc"), ("pn533", "nfc")), (NAMED,)),
]


def run(bench, report):
    for kinds, bodies in ROWS:
        name = " and ".join(f"{model} by {backend}" for model, backend in kinds)
        two = Two(bench, kinds)
        if report.check(f"{name}: plugged in", two.plug):
            for title, body in bodies:
                report.check(f"{name}: {title}", body, two)
        bench.clear()
    report.check("acr122u: the reader comes back under another number", renumbered, bench)
    bench.clear()
    report.check("acr122u: pcscd keeps it while readers are listed", left_alone, bench)
