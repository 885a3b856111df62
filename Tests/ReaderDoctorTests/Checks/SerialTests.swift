import CardReaders
import Glibc
import TestSupport
import Testing

@testable import ReaderDoctor

/// Serial ports with PN532 boards behind them.
@Suite struct SerialTests {
    private let board = WantedReader.nfc(connstring: "pn532_uart:/dev/ttyUSB0")

    @Test func aBridgeWithoutPortIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("1a86:7523", USBPart.vendorSpecific)
        #expect(
            made.findings(of: SerialDriverCheck.self, for: board).isProblem("no driver has claimed it", remedy: "dmesg")
        )
        #expect(made.findings(of: SerialDriverCheck.self).isNote("no driver has claimed it"))
        made.run("brltty", process: 9)
        #expect(made.findings(of: SerialDriverCheck.self, for: board).isProblem("brltty", remedy: "remove brltty"))
        let other = try MadeUpMachine()
        other.plug("10c4:ea60", USBPart.vendorSpecific, driver: "usbfs")
        #expect(other.findings(of: SerialDriverCheck.self, for: .nfc()).isProblem("a program is using it"))
    }

    @Test(arguments: ["ttyUSB0", "ttyACM0"])
    func aBridgeWithPortIsFine(_ port: String) throws {
        let made = try MadeUpMachine()
        made.plug("1a86:55d4", USBPart.vendorSpecific, driver: "cdc_acm", serialPort: port)
        #expect(made.findings(of: SerialDriverCheck.self, for: board).isFine)
        #expect(made.findings(of: SerialDriverCheck.self)[0].evidence.hasSuffix("is /dev/\(port)"))
    }

    @Test func aPortThatMayNotBeOpenedIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plugBoard()
        let words = "/dev/ttyUSB0: mode 0660, owner owner, group dialout"
        for wanted in [board, .nfc()] {
            #expect(
                made.findings(of: SerialAccessCheck.self, for: wanted).isProblem(
                    words, remedy: "adduser satoshi dialout"))
        }
        #expect(made.findings(of: SerialAccessCheck.self).isNote(words, remedy: "setup.sh --serial"))
        made.write(SetupCommand.packageMark, "tapkit\n")
        #expect(
            made.findings(of: SerialAccessCheck.self).isNote(
                words, remedy: "sudo cp /usr/share/doc/tapkit/examples/71-tapkit-serial.rules /etc/udev/rules.d/"))
        made.write("/etc/nfc/libnfc.conf", "device.connstring = \"pn532_uart:/dev/ttyUSB0\"\n")
        #expect(made.findings(of: SerialAccessCheck.self).isProblem(words))
        #expect(!made.diagnosis(for: board).isUsable)
        made.isInGroup = true
        #expect(made.findings(of: SerialAccessCheck.self, for: board).isFine)
        #expect(made.diagnosis(for: board).isUsable)
    }

    @Test func onlyTheNamedPortMatters() throws {
        let made = try MadeUpMachine()
        made.plugBoard()
        made.pipe("/dev/ttyUSB1", 0o660)
        #expect(made.findings(of: SerialAccessCheck.self, for: board).count == 1)
        #expect(made.findings(of: SerialAccessCheck.self, for: .nfc()).count == 2)
    }

    @Test func aPortInUseIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        #expect(made.findings(of: SerialUseCheck.self, for: board).isEmpty)
        made.run("minicom", process: 321, holding: "/dev/ttyUSB0")
        made.run("other", process: 322, holding: "/dev/ttyUSB1")
        #expect(
            made.findings(of: SerialUseCheck.self, for: board).isProblem("minicom (process 321)", remedy: "Close it"))
        #expect(!made.diagnosis(for: board).isUsable)
    }

    /// By another name it is the same port.
    @Test func aPortInUseIsFoundOutBehindALink() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.link("/dev/serial/by-id/usb-board", "../../ttyUSB0")
        let linked = WantedReader.nfc(connstring: "pn532_uart:/dev/serial/by-id/usb-board")
        #expect(made.diagnosis(for: linked).isUsable)
        made.run("minicom", process: 321, holding: "/dev/ttyUSB0")
        #expect(made.findings(of: SerialUseCheck.self, for: linked).isProblem("minicom (process 321)"))
        #expect(!made.diagnosis(for: linked).isUsable)
    }

    /// A program that made a pseudo-terminal and holds both its ends is the chip; others are in the way.
    @Test func aSimulatedChipIsNoOtherProgram() throws {
        let made = try MadeUpMachine()
        made.pipe("/dev/pts/1", 0o666)
        let chip = WantedReader.nfc(connstring: "pn532_uart:/dev/pts/1")
        made.run("chip", process: 5, holding: "/dev/pts/1")
        made.link("/proc/5/fd/3", "/dev/ptmx")
        made.write("/proc/5/fdinfo/3", "pos:\t0\nflags:\t02100002\ntty-index:\t1\n")
        #expect(made.findings(of: SerialUseCheck.self, for: chip).isEmpty)
        #expect(made.diagnosis(for: chip).isUsable)
        made.write("/proc/5/fdinfo/3", "pos:\t0\nflags:\t02100002\ntty-index:\t11\n")
        #expect(made.findings(of: SerialUseCheck.self, for: chip).isProblem("chip (process 5)"))
        #expect(!made.diagnosis(for: chip).isUsable)
    }

    @Test func lockFilesAreRead() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.write("/run/lock/LCK..ttyUSB0", "      4711 screen root\n")
        #expect(made.findings(of: SerialUseCheck.self, for: board).isNote("LCK..ttyUSB0", remedy: "rm /run/lock"))
        #expect(made.diagnosis(for: board).isUsable)
        made.run("screen", process: 4711)
        #expect(
            made.findings(of: SerialUseCheck.self, for: board).isProblem(
                "screen (process 4711)", remedy: "Close screen"))
    }

    @Test func anotherTapkitIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        let device = try #require(NFCConnectionString("pn532_uart:/dev/ttyUSB0"))
        let file = device.lockFiles[0]
        made.write(file, "99\n")
        var status = stat()
        stat(made.location(file), &status)
        let place = "\(Machine.kernelName(ofDevice: status.st_dev)):\(status.st_ino)"
        // Another kind of lock, another file, and a file of the same number elsewhere.
        made.write(
            "/proc/locks",
            """
            1: POSIX  ADVISORY  WRITE 5 \(place) 0 EOF
            2: FLOCK  ADVISORY  WRITE 6 \(place)1 0 EOF
            3: FLOCK  ADVISORY  WRITE 7 ff:ff:\(status.st_ino) 0 EOF

            """)
        #expect(made.findings(of: SerialUseCheck.self, for: board).isEmpty)
        #expect(made.diagnosis(for: board).isUsable)
        made.write("/proc/locks", "2: FLOCK  ADVISORY  WRITE 99 \(place) 0 EOF\n")
        #expect(made.findings(of: SerialUseCheck.self, for: board).isProblem("Another tapkit (process 99)"))
        #expect(!made.diagnosis(for: board).isUsable)
    }

    @Test func modemManagerIsNoted() throws {
        let made = try MadeUpMachine()
        made.plugBoard(mode: 0o666)
        made.run("ModemManager", process: 5)
        #expect(made.findings(of: SerialUseCheck.self, for: board).isNote("ModemManager", remedy: "--serial"))
        #expect(made.diagnosis(for: board).isUsable)
        made.copy("udev/71-tapkit-serial.rules", "/etc/udev/rules.d/71-tapkit-serial.rules")
        #expect(made.findings(of: SerialUseCheck.self, for: board).isEmpty)
    }
}
