"""Who may use the readers, and what ModemManager leaves alone."""

from bench import Board, BridgedBoard, Card
from booted import sit_down
from report import expect

# The model; whether libnfc can drive it; whether it is marked as a reader of smart cards.
ROWS = [
    ("acr1252u", False, True), ("acr1252single", False, True), ("acr1251u", False, True), ("acr1255u", False, True),
    ("acr1552u", False, True), ("omnikey5022", False, True), ("omnikey5427ck", False, True),
    ("utrust3700f", False, True), ("utrust3701f", False, True),
    ("acr122u", True, True), ("acr1222", True, True),
    ("touchatag", True, False),
    ("scl3711", True, False), ("scl3712", True, False), ("pn533", True, False), ("logo", True, False),
    ("pn531", True, False), ("sonypn531", True, False), ("s360", True, False),
]
BOARDS = {
    "FT232": lambda bench: Board(bench, Card(bench)),
    "CH340": lambda bench: BridgedBoard(bench, "pn532ch340", Card(bench)),
    "CP2102": lambda bench: BridgedBoard(bench, "pn532cp2102", Card(bench)),
    "FT231X": lambda bench: BridgedBoard(bench, "pn532ft231x", Card(bench)),
    "PL2303": lambda bench: BridgedBoard(bench, "pn532pl2303", Card(bench)),
    "CH9102": lambda bench: BridgedBoard(bench, "pn532ch9102", Card(bench)),
}
SERIAL_RULES = "/usr/share/doc/tapkit/examples/71-tapkit-serial.rules"
# Sits at the machine; is in the group of readers; neither.
PEOPLE = ("satoshi", "finney", "hal")


def allowed(machine, node):
    """Who may read and write a device."""
    return {user for user in PEOPLE if machine.run("test", "-r", node, "-a", "-w", node, user=user).status == 0}


def owner(machine, node):
    return machine.shell(f"stat -c '%a %G' {node}")


def properties(machine, device):
    return machine.shell(f"udevadm info --query=property --path={device}").splitlines()


def judge(bench, model, is_for_libnfc, is_marked):
    machine = bench.machine
    reader = bench.plug(model, Card(bench))
    found = properties(machine, reader.device)
    expect(("ID_SMARTCARD_READER=1" in found) == is_marked, found)
    if is_for_libnfc:
        tags = [line for line in found if line.startswith("CURRENT_TAGS=")]
        expect(tags and ":uaccess:" in tags[0], tags or "no tags")
        expect(owner(machine, reader.node) == "660 plugdev", owner(machine, reader.node))
        expect(allowed(machine, reader.node) == {"satoshi", "finney"}, allowed(machine, reader.node))
    else:
        # Debian's rules may give it to a group.
        people = allowed(machine, reader.node)
        expect("satoshi" in people and "hal" not in people, f"{people}, {owner(machine, reader.node)}")


def left(bench):
    """When nobody sits at the machine any more, only the group may use the reader."""
    machine = bench.machine
    reader = bench.plug("scl3711", Card(bench))
    expect("satoshi" in allowed(machine, reader.node), "at the seat")
    machine.shell("systemctl stop getty@tty1.service; loginctl terminate-user satoshi")
    machine.until(lambda: allowed(machine, reader.node) == {"finney"}, lambda: allowed(machine, reader.node))
    sit_down(machine)
    machine.until(lambda: "satoshi" in allowed(machine, reader.node), lambda: allowed(machine, reader.node))


def serial(bench, board):
    """The rules for boards on serial ports, which are installed on request."""
    machine = bench.machine
    try:
        board.plug()
        expect(owner(machine, board.port) == "660 dialout", owner(machine, board.port))
        expect(allowed(machine, board.port) == set(), allowed(machine, board.port))
        board.unplug()
        machine.shell(f"cp {SERIAL_RULES} /etc/udev/rules.d; udevadm control --reload")
        board.plug()
        expect(owner(machine, board.port) == "660 plugdev", owner(machine, board.port))
        expect(allowed(machine, board.port) == {"satoshi", "finney"}, allowed(machine, board.port))
        expect("ID_MM_PORT_IGNORE=1" in properties(machine, f"/sys/class/tty/{board.port[5:]}"), "the port")
        expect("ID_MM_DEVICE_IGNORE=1" in properties(machine, board.device), "the bridge")
    finally:
        board.end()
        machine.shell("rm -f /etc/udev/rules.d/71-tapkit-serial.rules; udevadm control --reload")


def board_title(bridge):
    return f"a board with a {bridge}: group, mode, seat, ModemManager"


def boards(bench, report):
    for bridge, make in BOARDS.items():
        report.check(board_title(bridge), serial, bench, make(bench))


def title(model, is_for_libnfc):
    what = "group, mode, seat, nobody else" if is_for_libnfc else "marked for pcscd, for the seat, not for others"
    return f"{model}: {what}"


def readers(bench, report):
    # Debian marks every CCID reader, too: here only tapkit's rules do.
    bench.machine.shell("ln -sf /dev/null /etc/udev/rules.d/60-fido-id.rules; udevadm control --reload")
    try:
        each(bench, report)
    finally:
        bench.machine.shell("rm /etc/udev/rules.d/60-fido-id.rules; udevadm control --reload")


def each(bench, report):
    for model, is_for_libnfc, is_marked in ROWS:
        report.check(title(model, is_for_libnfc), judge, bench, model, is_for_libnfc, is_marked)


def run(bench, report):
    readers(bench, report)
    report.check("scl3711: the person leaves, and comes back", left, bench)
    bench.clear()
    boards(bench, report)
