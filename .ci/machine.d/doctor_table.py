"""Whatever can be wrong with a machine: the doctor names it, what it says to do helps, and then it is content.

Two remedies cannot be provoked here. `backend_answers` is about kinds of readers that no other check is about, and
tapkit has none. `reader_listed` misses libccid's udev rules only where pcscd does not run as root, as it does in Debian
12 and 13.
"""

import re
from dataclasses import dataclass, field

import doctor_hands as hands
from bench import Card
from report import expect

BLACKLIST = "/usr/lib/modprobe.d/tapkit-blacklist.conf"
RULES = "/usr/lib/udev/rules.d/70-tapkit.rules"
# What setup.sh has installed.
NO_SETUP = "rm -f /etc/modprobe.d/tapkit-blacklist.conf /etc/udev/rules.d/70-tapkit.rules"
NO_BLACKLIST = (f"{NO_SETUP}; mv /root/tapkit-blacklist.conf {BLACKLIST}; modprobe -r pn533_usb 2>/dev/null || true")
STOP = "systemctl stop pcscd.socket pcscd.service"
NO_RULES = f"mv {RULES} /root; udevadm control --reload"
# As if the file were older than the reader; udevd looks only at the time of the folder.
OLD_RULES = (f"cp {RULES} /root; sed /5591/d /root/70-tapkit.rules >{RULES}.new; mv {RULES}.new {RULES}; "
             "udevadm control --reload")
OUR_RULES = f"{NO_SETUP}; mv /root/70-tapkit.rules {RULES}; udevadm control --reload"
RULES_AGAIN = "^(sudo cp [a-z0-9/.-]+ /etc/udev/rules.d/), then plug the reader back in$"
# systemd leaves it when it stops the unit.
NO_SOCKET = "rm -f /run/pcscd/pcscd.comm"
PLUG = "plug the reader back in"
INSTALL = "apt-get install --quiet=2 --yes pcscd libccid"
NFC = ("--reader", "nfc")


@dataclass
class Row:
    """Something that is wrong, and the remedy that the doctor has to name."""

    check: str
    title: str
    # A script of root's that makes it wrong.
    breaks: str
    # A pattern for the remedy. Its groups are commands, which are run as they stand.
    remedy: str
    # The reader, if one is plugged in; later: only when it is wrong already.
    model: str = "acr1252u"
    later: bool = False
    arguments: tuple = ()
    environment: dict = field(default_factory=dict)
    user: str = "satoshi"
    # Whether a card can be used nevertheless.
    usable: bool = False
    # What makes it wrong as long as it lasts, and ends when the remedy has no command.
    hands: type = hands.Hands
    # A script of root's that undoes the remedy.
    mends: str = "true"


ROWS = [
    Row("pcscd_installed", "pcscd is not installed", "dpkg --remove --force-depends pcscd",
        "^(sudo apt-get install pcscd libccid)$", mends=INSTALL),
    Row("pcscd_socket", "the socket is masked", f"{STOP}; systemctl mask pcscd.socket",
        "^(sudo systemctl unmask pcscd.socket && sudo systemctl enable --now pcscd.socket)$"),
    Row("pcscd_socket", "the socket is not enabled", f"{STOP}; {NO_SOCKET}; systemctl disable pcscd.socket",
        "^(sudo systemctl enable --now pcscd.socket)$"),
    Row("pcscd_socket", "the socket is missing", f"{STOP}; {NO_SOCKET}", "^(sudo systemctl start pcscd.socket)$"),
    Row("pcscd_answers", "the socket is stopped", STOP, "^(sudo systemctl restart pcscd.socket pcscd.service)$"),
    Row("pcscd_socket", "pcscd runs, but does not start at boot", "systemctl disable pcscd.socket",
        "^(sudo systemctl enable --now pcscd.socket)$", usable=True),
    Row("pcscd_answers", "nobody listens at the socket", f"{STOP}; {hands.DEAD_SOCKET}",
        "^(sudo systemctl restart pcscd.socket pcscd.service)$"),
    Row("pcscd_answers", "pcscd hangs", "kill -STOP $(pidof pcscd)",
        f"(sudo systemctl restart pcscd.socket pcscd.service), and {PLUG}"),
    Row("pcscd_permission", "the socket is closed to users",
        "chmod 600 /run/pcscd/pcscd.comm; systemctl stop pcscd.service", "^(sudo systemctl restart pcscd.socket) "),
    Row("reader_plugged_in", "no reader is plugged in", "true", "^Plug one in", model="",
        hands=hands.NoReader),
    Row("acr122u_firmware", "libccid refuses the reader's old firmware", "true",
        "^Set ifdDriverOptions to 0x0004 in /etc/libccid_Info.plist and restart pcscd", model="acr122u205",
        later=True, arguments=("--reader", "pcsc"), hands=hands.OldFirmware),
    Row("keyboard_mode", "the reader is a keyboard", "true", "^Switch it to CCID mode .076b:5427.", model="omnikey5427kb",
        later=True, hands=hands.Keyboard),
    Row("keyboard_mode", "another manufacturer's reader is a keyboard", "true",
        "^Switch it to CCID mode with the manufacturer's tool, if there is one, or use another reader$", model="",
        hands=hands.OtherKeyboard),
    Row("card_driver", "libccid is not installed",
        "dpkg --remove --force-depends libccid; systemctl stop pcscd.service",
        f"^(sudo apt-get install libccid), then {PLUG}", mends=INSTALL),
    Row("card_driver", "libccid does not know the reader", hands.UnknownReader.BREAK, "^Install a newer libccid",
        hands=hands.UnknownReader),
    Row("card_driver", "a manufacturer's device is neither a CCID reader nor one of libnfc's", "true",
        "^Install the manufacturer's PC/SC driver, or use another reader$", model="", hands=hands.Stranger),
    Row("readers", "another program has the card for itself", "true", "^Close the other program", model="omnikey5022",
        hands=hands.CardHolder),
    Row("reader_listed", "another program has the reader", "true", "^Unplug it and plug it back in; ", model="",
        hands=hands.DeviceHolder),
    Row("reader_listed", "another program has an ACR122U", "true",
        "^Unplug it and plug it back in: an ACR122U needs that after a USB timeout; ", model="",
        arguments=("--reader", "pcsc"), hands=hands.ACR122UHolder),
    Row("kernel_modules", "the kernel has taken the reader", f"mv {BLACKLIST} /root && modprobe pn533_usb",
        f"^(sudo cp [a-z0-9/.-]+ /etc/modprobe.d/) .a blacklist., then (sudo modprobe -r [a-z0-9_ ]+), and {PLUG}", model="scl3711", later=True,
        arguments=NFC, mends=NO_BLACKLIST),
    Row("kernel_modules", "a driver that was loaded by hand has taken the reader", "modprobe pn533_usb",
        f"^(sudo modprobe -r [a-z0-9_ ]+), then {PLUG}", model="scl3711", later=True, arguments=NFC),
    Row("kernel_modules", "the kernel's driver is loaded", "modprobe pn533_usb", "^(sudo modprobe -r [a-z0-9_ ]+)$",
        usable=True),
    Row("module_blacklist", "nothing is blacklisted", f"mv {BLACKLIST} /root", f"^(sudo cp [a-z0-9/.-]+ /etc/modprobe.d/) .a blacklist., then {PLUG}",
        model="scl3711", arguments=NFC, usable=True, mends=NO_BLACKLIST),
    Row("udev_rules", "there are no rules", NO_RULES, RULES_AGAIN, model="scl3711", later=True, arguments=NFC,
        mends=OUR_RULES),
    Row("udev_rules", "the rules lack the reader", OLD_RULES, RULES_AGAIN, model="scl3711", later=True, arguments=NFC,
        mends=OUR_RULES),
    Row("device_access", "the user is neither at the machine nor in the group", "true",
        "^(sudo adduser hal plugdev), then log in again", model="scl3711", arguments=NFC, user="hal",
        mends="deluser hal plugdev"),
    Row("nfc_and_pcscd", "pcscd has the reader", "tapkit status --json --wait --reader pcsc >/dev/null 2>&1 || true",
        f"(sudo systemctl stop pcscd.socket pcscd.service), then {PLUG}", model="acr122u", arguments=NFC),
    Row("nfc_device", "libnfc finds nothing", "true", "^Plug one in", model="", arguments=NFC,
        hands=hands.NoLibnfcReader),
    Row("nfc_configuration", "libnfc is configured for a port that does not exist", hands.NO_PORT,
        "^Plug the board in", model="scl3711", arguments=NFC, usable=True, hands=hands.Configuration),
    Row("nfc_configuration", "libnfc is configured for what is no device", hands.NONSENSE, "^Write it as pn532_uart:",
        model="scl3711", arguments=NFC, usable=True, hands=hands.Configuration),
    Row("nfc_configuration", "libnfc is configured for a reader that is not plugged in", hands.ABSENT, "^Plug it in; ",
        model="scl3711", arguments=NFC, usable=True, hands=hands.Configuration),
    Row("simulated_card", "the file of a simulated card is damaged", "echo torn >/tmp/none.json; chmod 666 /tmp/none.json",
        "^Create another simulated card", model="", arguments=("--reader", "sim:/tmp/none.json"),
        hands=hands.SimulatedCard),
    Row("simulated_card", "the file of a simulated card does not exist", "true", "^Name the file", model="",
        arguments=("--reader", "sim:/tmp/none.json"), hands=hands.SimulatedCard),
    Row("serial_access", "the user may not open the port", "true", "^(sudo adduser hal dialout), then log in again",
        model="", arguments=hands.PORT, user="hal", hands=hands.PluggedBoard, mends="deluser hal dialout"),
    Row("serial_driver", "the bridge has no driver", "true", "^Plug it back in", model="", arguments=hands.PORT,
        user="root", hands=hands.UnboundBoard),
    Row("serial_in_use", "another program has the port", "true", "^Close it", model="", arguments=hands.PORT,
        user="root", hands=hands.PortHolder),
]


def judge(bench, row, then=None):
    """Has a remedy followed; then something else may be looked at."""
    machine = bench.machine
    bench.clear()
    bench.start_service()
    card = Card(bench)
    if row.model and not row.later:
        bench.plug(row.model, card)
        if not row.arguments:
            bench.run("status", "--wait", card=card, user="root").succeeded()
    try:
        machine.shell(row.breaks)
        with row.hands(bench, row, card) as hand:
            if row.later:
                bench.plug(row.model, card)
            follow(named(bench, row, hand), machine, hand)
            content(bench, row, hand)
            if then:
                then(bench, row, hand)
    finally:
        machine.shell(row.mends)


def named(bench, row, hand):
    """The remedy, as soon as the doctor names it: the kernel takes its time to load a driver."""
    last = []

    def look():
        before = bench.doctor(*hand.arguments, user=row.user, env=hand.environment)
        remedies = [finding["remedy"] for finding in before.problems(row.check)]
        last[:] = [before, remedies, next(filter(None, (re.search(row.remedy, remedy) for remedy in remedies)), None)]
        return last[2]
    bench.machine.until(look, lambda: f"{row.remedy}: {last[1] or last[0].findings}", limit=30)
    before = last[0]
    expect((before.usable, before.status == 0) == (row.usable, row.usable), f"usable, {before.findings}")
    return last[2]


def follow(remedy, machine, hand):
    """Does what the remedy says."""
    for command in remedy.groups():
        done = machine.run("bash", "-c", command, text="y\n")
        expect(done.status == 0, done)
    if not remedy.groups():
        hand.relent()
    if "rules.d" in remedy.string or "modprobe.d" in remedy.string:
        # By itself systemd-udevd looks every three seconds whether these files have changed; hands are slower.
        machine.shell("udevadm control --reload")
    if "plug" in remedy.string:
        hand.replug()


def content(bench, row, hand):
    """Waits until the doctor has nothing more to say on the subject, and a card can be used."""
    last = []

    def look():
        after = bench.doctor(*hand.arguments, user=row.user, env=hand.environment)
        last[:] = after.findings
        return after.usable and not after.problems(row.check)
    bench.machine.until(look, lambda: f"after the remedy: {last}", limit=60)


def used(bench, row, hand):
    """A card is used."""
    bench.run("status", "--json", "--wait", *hand.arguments, user=row.user, card=hand.card, env=hand.environment).succeeded()
    hand.proof()


def run(bench, report):
    for row in ROWS:
        report.check(f"{row.check}: {row.title}", judge, bench, row)
    bench.clear()
