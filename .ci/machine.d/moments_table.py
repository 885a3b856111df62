"""The card, or the reader, is taken away at the first exchanges of a setup, of a change of the CVC, or of an unsealing, and
comes back: all ends as if nothing had happened."""

from bench import Card
from machine import Fault
from readers_table import Sitting, seen, set_up
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
        reader = sitting.plug(*at(moment, options))
        backup = f"/tmp/{sitting.card.ident}.aes"
        job = sitting.begin("setup", "--yes", "--keep-cvc", "--wait", "--backup", backup)
        answer = taken(reader, moment, pattern, job)
        expect(answer.status == 0 and answer.json["ident"] == sitting.card.ident, f"at exchange {moment}: {answer}")
        told = sitting.run("status", "--wait").succeeded().json
        expect(told["set_up"] and told["backups"] >= 1, f"at exchange {moment}: {told}")
        bench.machine.shell(f"test -s {backup}")
    return f"at {len(moments)} exchanges"


# Up to the last exchange of each: the order itself and, for a change, the try of the new CVC.
CHANGES, OPENINGS = range(3, 9), range(3, 8)
CHANGED_ROWS = [
    ("acr1252u", "pcsc", ("--pull-at", "N:after"), "Card removed"),
    ("scl3711", "nfc", ("--usb-fault", "unplug:N"), "unplugged"),
]
NEW_CVC = "/tmp/new-cvc"


def taken(reader, moment, pattern, job):
    """Waits until the card or the reader was taken away, and brings it back; how the command ended."""
    try:
        seen(reader, pattern, job)
        if pattern == "unplugged":
            reader.leave()
        else:
            # If a card leaves and returns between two of pcscd's looks, pcscd reports none until the next one comes.
            job.line(pattern)
    except Fault as fault:
        raise Fault(f"at exchange {moment}: {fault}") from None
    reader.put_back()
    return job.result()


def at(moment, options):
    return (option.replace("N", str(moment)) for option in options)


def changed(bench, model, backend, options, pattern):
    sitting = Sitting(bench, model, backend)
    sitting.plug()
    set_up(sitting, "--wait")
    for moment in CHANGES:
        new = f"{700000 + moment}"
        bench.machine.run("sh", "-c", f"umask 077; cat >{NEW_CVC}", user="satoshi", text=f"{new}\n").succeeded()
        reader = sitting.plug(*at(moment, options))
        job = sitting.begin("change-cvc", "--yes", "--wait", "--new-cvc-file", NEW_CVC)
        answer = taken(reader, moment, pattern, job)
        expect(answer.status == 0 and answer.json["changed"], f"at exchange {moment}: {answer}")
        # The file has the CVC's digits as bytes.
        expect(bytes.fromhex(sitting.card.record()["cvc"]).decode() == new, f"at exchange {moment}: {answer}")
        sitting.card.cvc = new
    return f"at {len(CHANGES)} exchanges"


def opened(bench, model, backend, options, pattern):
    for moment in OPENINGS:
        sitting = Sitting(bench, model, backend)
        sitting.card = Card(bench, "--product", "satscard", "--wait-ms", "0")
        reader = sitting.plug(*at(moment, options))
        job = sitting.begin("unseal", "--yes", "--wait")
        answer = taken(reader, moment, pattern, job)
        expect(answer.status == 0 and answer.json["slot"] == 1 and answer.json["wif"], f"at exchange {moment}: {answer}")
    return f"at {len(OPENINGS)} exchanges"


def run(bench, report):
    rows = [("setup", interrupted, *row) for row in ROWS]
    rows += [(verb, body, *row) for verb, body in (("change-cvc", changed), ("unseal", opened)) for row in CHANGED_ROWS]
    for verb, body, model, backend, *rest in rows:
        if backend == "nfc":
            bench.stop_service()
        report.check(f"{verb} on {model} by {backend}: {rest[1]}, and back", body, bench, model, backend, *rest)
        bench.clear()
        if backend == "nfc":
            bench.start_service()
