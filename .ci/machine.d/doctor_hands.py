"""What is wrong as long as it lasts, for the doctor; `relent` ends it."""

from bench import Board, Card

PORT = ("--reader", "nfc:pn532_uart:/dev/ttyUSB0")
NO_PORT, NONSENSE, ABSENT = (
    f"printf 'device.connstring = \"{name}\"\\n' >>/etc/nfc/libnfc.conf"
    for name in ("pn532_uart:/dev/ttyUSB9", "ttyUSB9", "pn53x_usb:009:ttyUSB9"))
DEAD_SOCKET = ("mkdir -p /run/pcscd; rm -f /run/pcscd/pcscd.comm; python3 -c 'import socket; "
               "socket.socket(socket.AF_UNIX).bind(\"/run/pcscd/pcscd.comm\")'; chmod 666 /run/pcscd/pcscd.comm")

HOLD_CARD = """
import ctypes, signal
pcsc = ctypes.CDLL("libpcsclite.so.1")
context, card, protocol = ctypes.c_long(), ctypes.c_long(), ctypes.c_ulong()
names, length = ctypes.create_string_buffer(4096), ctypes.c_ulong(4096)
EXCLUSIVE, ANY = 1, 3
assert pcsc.SCardEstablishContext(2, None, None, ctypes.byref(context)) == 0
assert pcsc.SCardListReaders(context, None, names, ctypes.byref(length)) == 0
name = names.raw.split(b"\\0")[0]
assert pcsc.SCardConnect(context, name, EXCLUSIVE, ANY, ctypes.byref(card), ctypes.byref(protocol)) == 0
print("held", flush=True)
signal.pause()
"""
# USBDEVFS_CLAIMINTERFACE
HOLD_DEVICE = """
import fcntl, os, signal, struct, sys
device = os.open(sys.argv[1], os.O_RDWR)
fcntl.ioctl(device, 0x8004550F, struct.pack("I", 0))
print("held", flush=True)
signal.pause()
"""


class Hands:
    """Begins when the machine is otherwise ready, and is undone at the end in any case. What a person gives the commands,
    and the card, change with the remedy."""

    def __init__(self, bench, row, card):
        self.bench, self.machine, self.row, self.card, self.job = bench, bench.machine, row, card, None
        self.arguments, self.environment = row.arguments, row.environment

    def __enter__(self):
        try:
            self.begin()
        except Exception:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def hold(self, *words):
        """A program that holds something until `release`."""
        self.job = self.machine.start(*words)
        self.job.line("held")

    def release(self):
        if self.job:
            self.job.signal(15)
            self.job.result()
            self.job = None

    def begin(self):
        pass

    def relent(self):
        self.end()

    def replug(self):
        """Unplugs what is there, and plugs it back in."""
        if self.bench.readers:
            self.bench.plug(self.bench.readers[0].model, self.card, fresh=False)

    def proof(self):
        """What else has to be so afterwards."""

    def end(self):
        self.release()


class CardHolder(Hands):
    def begin(self):
        self.hold("python3", "-c", HOLD_CARD)


class MuteCard(Hands):
    """The card does not answer until it was off the reader."""

    reader = None

    def begin(self):
        self.reader = self.bench.plug("omnikey5022", self.card, options=("--usb-fault", "mute-power:1"))

    def relent(self):
        """“Take the card off and put it back”"""
        self.reader.pull()
        # If it comes back between two of pcscd's looks, pcscd does not look at it again.
        self.machine.until(lambda: "there is no card on it" in str(self.bench.doctor(*self.arguments).findings),
                           lambda: "pcscd does not notice that the card is gone", limit=30)
        self.reader.put_back()


class DeviceHolder(Hands):
    """pcscd starts while another program has the reader."""

    model = "omnikey5022"

    def begin(self):
        self.machine.shell("systemctl stop pcscd.socket pcscd.service")
        reader = self.bench.plug(self.model, self.card)
        self.hold("python3", "-c", HOLD_DEVICE, reader.node)
        self.machine.shell("systemctl start pcscd.socket")


class ACR122UHolder(DeviceHolder):
    model = "acr122u"


class NoReader(Hands):
    model = "acr1252u"

    def relent(self):
        self.bench.plug(self.model, self.card)


class UnknownReader(Hands):
    CHANGE = "sed -i 's/<string>0x%s</<string>0x%s</' $(readlink -f /etc/libccid_Info.plist); systemctl restart pcscd.service"
    BREAK = CHANGE % ("223B", "FFF0")

    def end(self):
        self.machine.shell(self.CHANGE % ("FFF0", "223B"))


class OldFirmware(Hands):
    def options(self, number):
        self.machine.shell(
            "sed -i '/ifdDriverOptions/{n;s/0x[0-9A-Fa-f]*/%s/}' $(readlink -f /etc/libccid_Info.plist); "
            "systemctl restart pcscd.socket pcscd.service" % number)

    def relent(self):
        self.options("0x0004")

    def end(self):
        self.options("0x0000")


class Keyboard(NoReader):
    """The maker's tool makes another device of it."""

    model = "omnikey5022"


class NoLibnfcReader(NoReader):
    model = "scl3711"


class Stranger(NoReader):
    """A device of a reader manufacturer's that nothing knows; another reader is used instead."""

    stranger, identity = "scl3711", ("04e6:5591", "04e6:55ff")

    def begin(self):
        self.bench.plug(self.stranger, self.card, identity=self.identity)


class OtherKeyboard(Stranger):
    stranger, identity = "omnikey5427kb", ("076b:5428", "072f:90ff")


class Configuration(Hands):
    def end(self):
        self.machine.shell("sed -i /ttyUSB9/d /etc/nfc/libnfc.conf")


class SimulatedCard(Hands):
    def relent(self):
        with open(Card(self.bench).path, encoding="utf-8") as file:
            self.bench.give("/tmp/none.json", file.read())

    def end(self):
        self.machine.shell("rm -f /tmp/none.json")


class PluggedBoard(Hands):
    board = None

    def begin(self):
        self.board = Board(self.bench, self.card)
        self.board.plug()

    def replug(self):
        self.board.unplug()
        self.board.plug()

    def end(self):
        self.release()
        if self.board:
            self.board.end()


class UnboundBoard(PluggedBoard):
    def begin(self):
        super().begin()
        self.machine.shell("echo 1-3:1.0 >/sys/bus/usb/drivers/ftdi_sio/unbind")

    def relent(self):
        self.replug()


class PortHolder(PluggedBoard):
    def begin(self):
        super().begin()
        self.hold("bash", "-c", "exec 3<>/dev/ttyUSB0; echo held; sleep infinity")

    def relent(self):
        self.release()
