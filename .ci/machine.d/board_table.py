"""A PN532 board on a serial port: found, asked, a card set up on it, 50 signatures, unplugged and removed in the middle."""

import time

from bench import Board
from readers_table import SIGNATURES, Sitting, removed, seen, set_up, sign, told
from report import expect
from rules_table import SERIAL_RULES


class BoardSitting(Sitting):
    """The board with a fresh card on it."""

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
    board = sitting.plug("--pull-at", "30:after")
    job = sitting.begin_signing()
    seen(board, "Card removed", job)
    # QEMU 7.2 sometimes crashes if bytes arrive while its usb-serial leaves: first, all is quiet.
    machine = sitting.bench.machine
    machine.shell("pkill -STOP -x tapkit")
    time.sleep(1)
    board.unplug()
    machine.shell("pkill -CONT -x tapkit")
    # The port gets another name as long as a program has it open.
    machine.until(lambda: "ttyUSB" not in machine.shell("ls -l /proc/$(pgrep -nx tapkit)/fd"),
                  lambda: "tapkit keeps the port")
    board.put_back()
    board.plug()
    sitting.signed(job)


CHECKS = [
    ("readers", listed), ("status", told), ("setup", set_up), (f"{SIGNATURES} signatures", sign),
    ("card and board are taken away in the middle, and come back", unplugged),
    ("the card is removed in the middle, and comes back", removed),
]


def run(bench, report):
    machine = bench.machine
    machine.shell(f"cp {SERIAL_RULES} /etc/udev/rules.d; udevadm control --reload")
    sitting = BoardSitting(bench)
    try:
        if report.check("pn532 on ft232: plugged in", sitting.plug):
            for title, body in CHECKS:
                report.check(f"pn532 on ft232: {title}", body, sitting)
    finally:
        if sitting.board:
            sitting.board.end()
        machine.shell("rm -f /etc/udev/rules.d/71-tapkit-serial.rules; udevadm control --reload")
