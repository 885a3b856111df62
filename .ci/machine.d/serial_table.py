"""Whatever can keep a board's serial port from being used: the doctor names it, what it says to do helps, and then a card on
the board is used."""

import serial_hands as hands
from doctor_hands import PORT, PluggedBoard
from doctor_table import Row, judge, used

COPY = "(sudo cp [a-z0-9/.-]+ /etc/udev/rules.d/)"
# A program that has ended wrote it.
STALE = f"sleep 0 & printf '%10d\\n' $! >{hands.LOCK}; wait"
NO_RULES = f"rm -f {hands.RULES}; udevadm control --reload"

ROWS = [
    Row("serial_in_use", "a lock file of a program that has ended", STALE, f"^(sudo rm {hands.LOCK})$", model="",
        arguments=PORT, user="root", usable=True, hands=PluggedBoard),
    # Nothing keeps tapkit from using it nevertheless.
    Row("serial_in_use", "a lock file of a program that runs", "true", "^Close bash$", model="", arguments=PORT, user="root",
        usable=True, hands=hands.PortLock),
    Row("serial_in_use", "another tapkit", "true", "^Wait until it is done, ", model="", arguments=PORT, user="root",
        hands=hands.TapkitOnPort),
    Row("serial_access", "the person at the machine may not open the port", "true",
        f"; or, if you sit at this computer: {COPY}, then plug it back in$", model="", arguments=PORT, hands=PluggedBoard,
        mends=NO_RULES),
    Row("serial_in_use", "ModemManager probes the board", hands.MODEMS, f"; to fix it permanently: {COPY}$", model="",
        arguments=PORT, user="root", hands=hands.ProbedBoard, mends=hands.NO_MODEMS),
    Row("serial_driver", "brltty has taken the board", hands.BRAILLE,
        "^If you do not need Braille: (sudo apt-get remove brltty), then plug the board back in$", model="", arguments=PORT,
        user="root", hands=hands.BrailleBoard),
]


def run(bench, report):
    for row in ROWS:
        report.check(f"{row.check}: {row.title}", judge, bench, row, used)
    bench.clear()
