"""Each reader fails at the third exchange with the card: the error is clear, and the next command works."""

from bench import Card
from readers_table import ROWS
from report import expect

KINDS = ("stall", "short", "garbled", "silence", "mute", "unplug")
# The reader is gone, I/O broke, the card is not there, or a proof failed: what is garbled may be well-formed.
CLEAR = (69, 74, 75, 76)


def fail(bench, model, backend, card, kind):
    reader = bench.plug(model, card, options=("--usb-fault", f"{kind}:3"))
    if backend == "pcsc":
        bench.until_listed()
    result = bench.run("status", "--json", "--reader", backend, card=card)
    reader.line(f"misbehaves now: {kind}" if kind != "unplug" else "unplugged")
    if kind == "silence" and backend == "pcsc":
        expect(result.status == 74 and "has not answered for 30 s" in result.json["error"]["message"], result)
    # A driver may send a command again; then nothing was wrong.
    if result.status != 0:
        error = result.json["error"]
        expect(result.status in CLEAR and error["message"] and error["hint"], result)
    else:
        expect(result.json["ident"] == card.ident, result)
    if kind == "unplug":
        reader.leave()
        reader.put_back()
        reader.arrive()
    if backend == "pcsc":
        bench.until_listed()
    again = bench.run("status", "--json", "--reader", backend, card=card)
    if again.status != 0:
        # pcscd gives a reader up that has stalled; then the error says so.
        expect("lug it back in" in again.json["error"]["hint"], again)
        bench.plug(model, card, fresh=False)
        bench.run("status", "--json", "--wait", "--reader", backend, card=card).succeeded()
        return f"exit status {result.status}, after plugging it back in 0"
    return f"exit status {result.status}, then 0"


def run(bench, report):
    for model, backend, _ in ROWS:
        if backend == "nfc":
            bench.stop_service()
        card = Card(bench, "--product", "tapsigner")
        # libccid waits three minutes for a reader that is silent, whichever it is; tapkit waits
        # half a minute, once in each of the two commands.
        kinds = [kind for kind in KINDS if kind != "silence" or backend == "nfc" or model == ROWS[0][0]]
        for kind in kinds:
            report.check(f"{model} by {backend}: {kind}", fail, bench, model, backend, card, kind)
        bench.clear()
        if backend == "nfc":
            bench.start_service()
