"""What people do who follow the second half of a remedy; see doctor_hands."""

import doctor_hands
from bench import Board, Card
from doctor_hands import PORT, Hands, PluggedBoard
from report import expect

NFC = ("--reader", "nfc")
PCSC = ("--reader", "pcsc")
OTHER_SOCKET = "/run/pcscd/other.comm"
ELSEWHERE = f"""
mkdir -p /run/systemd/system/pcscd.socket.d
printf '%s\\n' '[Socket]' ListenStream= 'ListenStream={OTHER_SOCKET}' >/run/systemd/system/pcscd.socket.d/other.conf
systemctl daemon-reload
systemctl stop pcscd.socket pcscd.service
"""
NOT_ELSEWHERE = """
systemctl stop pcscd.socket pcscd.service
rm -rf /run/systemd/system/pcscd.socket.d
systemctl daemon-reload
systemctl start pcscd.socket
"""


class UseLibnfc(Hands):
    """“or stop pcscd and use the reader with libnfc”"""

    def relent(self):
        self.bench.stop_service()
        self.arguments = NFC


class UseService(Hands):
    """“Use it with --reader pcsc”"""

    def relent(self):
        self.arguments = PCSC


class OtherName(Hands):
    """“Choose one of these, or leave TEXT out”"""

    def relent(self):
        self.arguments = ("--reader", "pcsc:acr1252")

    def proof(self):
        expect(self.bench.doctor(*PCSC).usable, "without a name")


class NoSuchSocket(Hands):
    """“Unset PCSCLITE_CSOCK_NAME”"""

    def relent(self):
        self.environment = {}


class OtherService(Hands):
    """“or start the pcscd that listens there”"""

    def relent(self):
        self.machine.shell("systemctl start pcscd.socket")


class ManufacturerDriver(Hands):
    """“or the manufacturer's driver (Debian: libacsccid1); then sudo systemctl restart …”"""

    def relent(self):
        self.machine.shell("apt-get install --quiet=2 --yes libacsccid1; systemctl restart pcscd.socket pcscd.service")

    def end(self):
        self.machine.shell("dpkg --remove libacsccid1 || true; "
                           + doctor_hands.UnknownReader.CHANGE % ("FFF0", "223B"))


class LostNode(Hands):
    """The device's file is gone."""

    def begin(self):
        self.machine.shell(f"rm {self.bench.readers[0].node}")

    def relent(self):
        self.replug()

    def end(self):
        pass


class KeptOff(Hands):
    """The kernel then leaves a reader alone."""

    def proof(self):
        reader = self.bench.plug("scl3711", Card(self.bench), port=2)
        expect("pn533_usb" not in reader.driver(), reader.driver())


class OtherProgram(Hands):
    """Another program has libnfc's reader."""

    def begin(self):
        self.hold("python3", "-c", doctor_hands.HOLD_DEVICE, self.bench.readers[0].node)


class Configured(PluggedBoard):
    """The line in libnfc's configuration is written as the remedy says."""

    def relent(self):
        self.machine.shell("sed -i '/ttyUSB9/d' /etc/nfc/libnfc.conf; "
                           "echo 'device.connstring = \"pn532_uart:/dev/ttyUSB0\"' >>/etc/nfc/libnfc.conf")

    def end(self):
        super().end()
        self.machine.shell("sed -i '/ttyUSB/d' /etc/nfc/libnfc.conf")


class PortNamed(PluggedBoard):
    """“or give its port: --reader nfc:pn532_uart:/dev/ttyUSB0”"""

    def relent(self):
        self.arguments = PORT


class BoardComes(Hands):
    """“Plug the board in”"""

    board = None

    def relent(self):
        self.board = Board(self.bench, self.card)
        self.board.plug()

    def end(self):
        if self.board:
            self.board.end()
        self.machine.shell("sed -i '/ttyUSB/d' /etc/nfc/libnfc.conf")


class DriverNamed(Hands):
    """“name the driver alone”"""

    def relent(self):
        self.machine.shell("sed -i s/pn53x_usb:009:ttyUSB9/pn53x_usb/ /etc/nfc/libnfc.conf")

    def end(self):
        self.machine.shell("sed -i /pn53x_usb/d /etc/nfc/libnfc.conf")


class CardFile(Hands):
    """The file of a simulated card that only root may read; another may be named."""

    def begin(self):
        with open(self.card.path, encoding="utf-8") as file:
            text = file.read()
        self.bench.give("/tmp/closed.json", text, user="root")
        self.machine.shell("chmod 600 /tmp/closed.json")
        self.bench.give("/tmp/own.json", text)

    def relent(self):
        self.arguments = ("--reader", "sim:/tmp/own.json")

    def end(self):
        self.machine.shell("rm -f /tmp/closed.json /tmp/own.json")
