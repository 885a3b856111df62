"""Programs that want the serial port of a board, for the doctor; `relent` ends them."""

from doctor_hands import PORT, PluggedBoard
from report import expect

LOCK = "/run/lock/LCK..ttyUSB0"
RULES = "/etc/udev/rules.d/71-tapkit-serial.rules"
# brltty 6.5 looks only at bridges that say whose they are, unless it is told otherwise, as older ones did by themselves;
# then its driver for MDV's displays takes any bridge of this kind for one.
BRAILLE = ("printf '%s\\n' 'braille-driver md' 'braille-device usb:genericDevices=yes' 'speech-driver no' "
           ">/etc/brltty.conf; systemctl unmask brltty.service; systemctl start brltty.service")
# Debian's ModemManager leaves bridges alone unless the administrator marks them as modems, as here; older ones probe each.
LOG = "/run/modemmanager.log"
MARK = "/etc/udev/rules.d/70-modems.rules"
MODEMS = f"""
printf '%s\\n' 'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ENV{{ID_MM_DEVICE_PROCESS}}="1"' >{MARK}
udevadm control --reload
mkdir -p /run/systemd/system/ModemManager.service.d
printf '%s\\n' '[Service]' ExecStart= 'ExecStart=/usr/sbin/ModemManager --debug --log-file={LOG}' \\
    >/run/systemd/system/ModemManager.service.d/log.conf
systemctl unmask ModemManager.service
systemctl start ModemManager.service
"""
NO_MODEMS = f"systemctl mask --now ModemManager.service; rm -f {MARK} {RULES}; udevadm control --reload"


class BrailleBoard(PluggedBoard):
    """brltty takes it as it is plugged in."""

    def begin(self):
        super().begin()
        self.machine.until(lambda: self.machine.run("test", "-e", self.board.port).status != 0,
                           lambda: "brltty does not take it: " + self.machine.shell("journalctl -u brltty -o cat"), limit=60)


class ProbedBoard(PluggedBoard):
    """ModemManager looks for a modem as it is plugged in."""

    def begin(self):
        super().begin()
        self.machine.until(lambda: self.board.port in self.opened(), self.said, limit=60)

    def opened(self):
        """The files that ModemManager has open; some of them may be closed while they are looked at."""
        return self.machine.run("bash", "-c", "ls -l /proc/$(pidof ModemManager)/fd").out

    def said(self):
        return self.machine.shell(f"tail -n 40 {LOG}")

    def replug(self):
        self.board.unplug()
        self.machine.shell(f": >{LOG}")
        self.board.plug()

    def proof(self):
        """It leaves the board alone."""
        self.machine.until(lambda: "skipping for blacklisted port" in self.said(), self.said, limit=60)
        opened = self.machine.run("grep", "--text", "opening serial port", LOG)
        expect(opened.status == 1, opened)


class PortLock(PluggedBoard):
    """A program that says that it uses the port, until it is closed."""

    def begin(self):
        super().begin()
        self.hold("bash", "-c", f"trap 'rm {LOCK}; exit' TERM; printf '%10d\\n' $$ >{LOCK}; echo held; "
                                "while :; do sleep 1 & wait; done")

    def relent(self):
        self.release()


class TapkitOnPort(PluggedBoard):
    """Another tapkit waits for its card there, and finds it."""

    def begin(self):
        super().begin()
        self.board.pull()
        self.job = self.bench.begin("status", "--json", "--wait", *PORT, card=self.card, user="root")
        self.job.line("card")

    def relent(self):
        self.board.put_back()
        self.job.result().succeeded()
        self.job = None
