"""The card, or the reader, is taken away at the first exchanges of a card's setup, and comes back: the setup ends as if
nothing had happened."""

from readers_table import Sitting, seen
from report import expect

# For the time they take, each reader has half of the exchanges; together, the card and the reader go at each one.
ODD, EVEN = range(3, 11, 2), range(4, 11, 2)
# The model, the backend that drives it, what happens, and at which exchanges; `N` is the exchange.
ROWS = [
    ("acr1252u", "pcsc", ("--pull-at", "N:before"), "Card removed", ODD),
    ("acr1252u", "pcsc", ("--usb-fault", "unplug:N"), "unplugged", EVEN),
    ("scl3711", "nfc", ("--pull-at", "N:after"), "Card removed", EVEN),
    ("scl3711", "nfc", ("--usb-fault", "unplug:N"), "unplugged", ODD),
]


def interrupted(bench, model, backend, options, pattern, moments):
    for moment in moments:
        sitting = Sitting(bench, model, backend)
        reader = sitting.plug(*(option.replace("N", str(moment)) for option in options))
        backup = f"/tmp/{sitting.card.ident}.aes"
        job = sitting.begin("setup", "--yes", "--keep-cvc", "--wait", "--backup", backup)
        seen(reader, pattern, job)
        if pattern == "unplugged":
            reader.leave()
        reader.put_back()
        answer = job.result()
        expect(answer.status == 0 and answer.json["ident"] == sitting.card.ident, f"at exchange {moment}: {answer}")
        told = sitting.run("status", "--wait").succeeded().json
        expect(told["set_up"] and told["backups"] >= 1, f"at exchange {moment}: {told}")
        bench.machine.shell(f"test -s {backup}")
    return f"at {len(moments)} exchanges"


def run(bench, report):
    for model, backend, options, pattern, moments in ROWS:
        if backend == "nfc":
            bench.stop_service()
        report.check(f"setup on {model} by {backend}: {pattern}, and back", interrupted, bench, model, backend, options,
                     pattern, moments)
        bench.clear()
        if backend == "nfc":
            bench.start_service()
