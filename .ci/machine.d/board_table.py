"""PN532 boards on serial ports: found, asked, a card set up on it, 50 signatures, unplugged and removed in the middle."""

import time

from bench import Board, BridgedBoard
from readers_table import HALFWAY, SIGNATURES, Sitting, longest, removed, seen, set_up, sign, told
from report import expect
from rules_table import SERIAL_RULES


class BridgedSitting(Sitting):
    """A board whose bridge is simulated, too, with a fresh card on it."""

    def __init__(self, bench, model, port=1):
        super().__init__(bench, model, f"nfc:pn532_uart:{BridgedBoard.PORTS[model]}", port)


class BoardSitting(Sitting):
    """The board with QEMU's bridge, with a fresh card on it."""

    def __init__(self, bench):
        super().__init__(bench, "pn532", f"nfc:pn532_uart:{Board.port}")
        self.board = None

    def plug(self, *options):
        """Plugs the board in, also in place of the one that is there."""
        if self.board:
            self.board.end()
        self.board = Board(self.bench, self.card, *options)
        self.board.plug()
        return self.board


def listed(sitting):
    readers = sitting.run("readers", "--wait").succeeded().json["readers"]
    expect(len(readers) == 1 and readers[0]["backend"] == "nfc", readers)
    expect(readers[0].get("card", {}).get("ident") == sitting.card.ident, readers)


def unplugged(sitting):
    """The card is lifted from the board, and the board unplugged; both come back."""
    board = sitting.plug("--pull-at", f"{HALFWAY}:after")
    job = sitting.begin_signing()
    seen(board, "Card removed", job)
    # QEMU 7.2 sometimes crashes if bytes arrive while its usb-serial leaves: first, all is quiet.
    machine = sitting.bench.machine
    machine.shell("pkill -STOP -x tapkit")
    time.sleep(1)
    board.unplug()
    machine.shell("pkill -CONT -x tapkit")
    until_left(machine)
    board.put_back()
    board.plug()
    sitting.signed(job)


def until_left(machine):
    """Waits until tapkit has closed the port: as long as a program has it open, it would get another name."""
    machine.until(lambda: "/dev/tty" not in machine.shell("ls -l /proc/$(pgrep -nx tapkit)/fd"),
                  lambda: "tapkit keeps the port")


def unplugged_with_bridge(sitting):
    board = sitting.plug("--usb-fault", f"unplug:{HALFWAY}")
    job = sitting.begin_signing()
    seen(board, "unplugged", job)
    board.leave()
    until_left(sitting.bench.machine)
    board.put_back()
    sitting.signed(job)


FIRST = [
    ("readers", listed), ("status", told), ("the longest commands there, 256 bytes back", longest), ("setup", set_up),
    (f"{SIGNATURES} signatures", sign),
]
LAST = [("the card is removed in the middle, and comes back", removed)]


def judge(report, name, sitting, away):
    if report.check(f"{name}: plugged in", sitting.plug):
        for title, body in FIRST + [away] + LAST:
            report.check(f"{name}: {title}", body, sitting)


def run(bench, report):
    machine = bench.machine
    machine.shell(f"cp {SERIAL_RULES} /etc/udev/rules.d; udevadm control --reload")
    sitting = BoardSitting(bench)
    try:
        judge(report, "pn532 on ft232", sitting,
              ("card and board are taken away in the middle, and come back", unplugged))
        sitting.board.end()
        for model in BridgedBoard.PORTS:
            judge(report, model, BridgedSitting(bench, model),
                  ("the board is unplugged in the middle, and comes back", unplugged_with_bridge))
            bench.clear()
    finally:
        if sitting.board:
            sitting.board.end()
        bench.clear()
        machine.shell("rm -f /etc/udev/rules.d/71-tapkit-serial.rules; udevadm control --reload")
