"""Second halves of what the doctor says, and what is rarely wrong: each helps, and then a card is used."""

import doctor_hands
import remedies_hands as hands
from doctor_table import BLACKLIST, NO_BLACKLIST, NO_RULES, OUR_RULES, RULES, Row, judge, used
from remedies_hands import NFC, PCSC

COPY = "(sudo cp [a-z0-9/.-]+ /etc/udev/rules.d/), then plug it back in"
# As if the group were enough; udevd looks only at the time of the folder.
NO_SEAT = (f"cp {RULES} /root; sed 's/TAG+=\"uaccess\", *//' /root/70-tapkit.rules >{RULES}.new; mv {RULES}.new {RULES}; "
           "udevadm control --reload")
# Debian's libnfc6 lets the group plugdev open readers.
LIBNFC_RULES = "/etc/udev/rules.d/93-pn53x.rules"
NO_SERIAL = "modprobe -r ftdi_sio usbserial || true"
CONFIGURED = "echo 'device.connstring = \"pn532_uart:/dev/ttyUSB0\"' >>/etc/nfc/libnfc.conf"
NAMED_SOCKET = {"PCSCLITE_CSOCK_NAME": hands.OTHER_SOCKET}

ROWS = [
    Row("kernel_modules", "the kernel's driver is loaded, and is to be kept off",
        f"mv {BLACKLIST} /root && modprobe pn533_usb",
        "^(sudo modprobe -r [a-z0-9_ ]+); to keep it off: (sudo cp [a-z0-9/.-]+ /etc/modprobe.d/)$", usable=True,
        hands=hands.KeptOff, mends=NO_BLACKLIST),
    Row("kernel_modules", "another driver of the kernel's has taken the reader",
        f"{NO_SERIAL}; modprobe usbserial vendor=0x04e6 product=0x5591",
        "^(sudo modprobe -r [a-z0-9_ ]+), then plug the reader back in$", model="scl3711", later=True, arguments=NFC,
        mends=NO_SERIAL),
    Row("device_access", "the device's file is gone", "true", "^Plug it back in$", model="scl3711", arguments=NFC,
        hands=hands.LostNode),
    Row("device_access", "no rules, for somebody over ssh", f"ln -s /dev/null {LIBNFC_RULES}; {NO_RULES}",
        f"^{COPY}; over ssh you also need the group: (sudo adduser hal plugdev)$", model="scl3711", later=True,
        arguments=NFC, user="hal", mends=f"{OUR_RULES}; rm -f {LIBNFC_RULES}; deluser hal plugdev || true"),
    Row("device_access", "rules for the group alone, for the person at the machine", NO_SEAT,
        f"^sudo adduser satoshi plugdev, then log in again; or, if you sit at this computer: {COPY}$", model="scl3711",
        later=True, arguments=NFC, mends=OUR_RULES),
    Row("pcscd_socket", "PCSCLITE_CSOCK_NAME is set", "true", "^Unset PCSCLITE_CSOCK_NAME, ", environment=NAMED_SOCKET,
        hands=hands.NoSuchSocket),
    Row("pcscd_socket", "the pcscd that PCSCLITE_CSOCK_NAME means is stopped", hands.ELSEWHERE,
        ", or start the pcscd that listens there$", environment=NAMED_SOCKET, hands=hands.OtherService,
        mends=hands.NOT_ELSEWHERE),
    Row("card_driver", "libccid does not know the reader, but the manufacturer's driver does",
        doctor_hands.UnknownReader.BREAK,
        " or the manufacturer's driver .Debian: libacsccid1.; then sudo systemctl restart pcscd.socket pcscd.service, and",
        hands=hands.ManufacturerDriver),
    Row("acr122u_firmware", "libccid refuses the reader's old firmware, but libnfc does not", "true",
        "; or stop pcscd and use the reader with libnfc .--reader nfc.; ", model="acr122u205", later=True, arguments=PCSC,
        hands=hands.UseLibnfc),
    Row("reader_listed", "another program, which root sees, has the reader", "true", "^Close that program, ", model="",
        user="root", hands=doctor_hands.DeviceHolder),
    Row("nfc_configuration", "libnfc is configured for a board that is not plugged in", CONFIGURED, "^Plug the board in; ",
        model="", arguments=NFC, user="root", hands=hands.BoardComes),
    Row("nfc_configuration", "libnfc is configured for another port than the board's", doctor_hands.NO_PORT,
        "^Use one of the serial ports: /dev/ttyUSB0$", model="", arguments=NFC, user="root", hands=hands.Configured),
    Row("nfc_configuration", "libnfc is configured for a port without a driver", doctor_hands.NONSENSE,
        "^Write it as pn532_uart:/dev/ttyUSB0, ", model="", arguments=NFC, user="root", hands=hands.Configured),
    Row("nfc_configuration", "libnfc is configured for numbers that a reader had before", doctor_hands.ABSENT,
        "; its numbers change each time, so name the driver alone$", model="scl3711", arguments=NFC, usable=True,
        hands=hands.DriverNamed),
    Row("nfc_and_pcscd", "pcscd has the reader, and may keep it",
        "tapkit status --json --wait --reader pcsc >/dev/null 2>&1 || true", "^Use it with --reader pcsc; ", model="acr122u",
        arguments=NFC, hands=hands.UseService),
    Row("nfc_and_pcscd", "another program has the reader", "true", "^Close that program, ", model="scl3711", arguments=NFC,
        hands=hands.OtherProgram),
    Row("readers", "the card does not answer", "true", "^Take the card off and put it back, ", model="", usable=True,
        hands=doctor_hands.MuteCard),
    Row("readers", "no reader has the name", "true", "^Choose one of these: --reader pcsc:TEXT, or leave TEXT out$",
        arguments=("--reader", "pcsc:omnikey"), hands=hands.OtherName),
    Row("nfc_device", "libnfc does not look at serial ports", "true",
        ", or give its port: --reader nfc:pn532_uart:/dev/ttyUSB0,", model="", arguments=NFC, user="root",
        hands=hands.PortNamed),
    Row("nfc_device", "libnfc is not configured for the board", "true",
        ", or set device.connstring in /etc/nfc/libnfc.conf$", model="", arguments=NFC, user="root",
        hands=hands.Configured),
    Row("simulated_card", "another user's file of a simulated card", "true", "^Name the file of a simulated card ",
        model="", arguments=("--reader", "sim:/tmp/closed.json"), hands=hands.CardFile),
]


def run(bench, report):
    for row in ROWS:
        report.check(f"{row.check}: {row.title}", judge, bench, row, used)
    bench.clear()
