import TestSupport
import Testing

@testable import ReaderDoctor

/// libnfc: what it is configured for, and what it shares with the PC/SC service.
@Suite struct NFCTests {
    @Test(arguments: [
        "/etc/nfc/libnfc.conf", "/etc/nfc/devices.d/board.conf", "LIBNFC_DEFAULT_DEVICE", "LIBNFC_DEVICE",
    ])
    func aConfiguredPortThatIsNotThereIsFoundOut(_ source: String) throws {
        let made = try MadeUpMachine()
        let text = "pn532_uart:/dev/ttyUSB7:115200"
        switch source {
        case "/etc/nfc/libnfc.conf": made.write(source, "# x\n\ndevice.name = \"b\"\ndevice.connstring = \"\(text)\"\n")
        case "/etc/nfc/devices.d/board.conf": made.write(source, "name = b\n  connstring=\(text)\n")
        default: made.environment[source] = text
        }
        #expect(
            made.findings(of: NFCConfigurationCheck.self).isProblem(
                text, source, "/dev/ttyUSB7 does not exist", remedy: "Plug"))
        made.plugBoard()
        #expect(made.findings(of: NFCConfigurationCheck.self).isProblem(remedy: "/dev/ttyUSB0"))
        made.pipe("/dev/ttyUSB7", 0o666)
        #expect(made.findings(of: NFCConfigurationCheck.self).isFine)
        #expect(made.diagnosis(for: .nfc()).isUsable)
    }

    @Test func noConfigurationIsNoFinding() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: NFCConfigurationCheck.self).isEmpty)
        made.write("/etc/nfc/libnfc.conf", "#device.connstring = \"pn532_uart:/dev/ttyUSB7\"\nallow_autoscan = false\n")
        made.write("/etc/nfc/devices.d/board.conf.sample", "connstring = pn532_uart:/dev/ttyUSB7\n")
        #expect(made.findings(of: NFCConfigurationCheck.self).isEmpty)
        #expect(!made.machine.libnfc.scans)
    }

    @Test func anOptionalDeviceMayBeMissing() throws {
        let made = try MadeUpMachine()
        made.write("/etc/nfc/devices.d/board.conf", "connstring = pn532_uart:/dev/ttyUSB7\noptional = true\n")
        #expect(made.findings(of: NFCConfigurationCheck.self).isNote("/dev/ttyUSB7"))
    }

    @Test(arguments: [
        ("pn532_uart", "no port"), ("pn532_uart:ttyUSB0", "no port"), ("pn532_uart:/dev/ttyUSB0:fast", "not a number"),
        ("acr122_pcsc:ACS", "no driver"), ("", "no driver"), ("/dev/ttyUSB0", "no driver"),
    ])
    func aNameThatLibnfcCannotReadIsFoundOut(_ text: String, _ words: String) throws {
        let made = try MadeUpMachine()
        made.pipe("/dev/ttyUSB0", 0o666)
        made.environment["LIBNFC_DEFAULT_DEVICE"] = text
        #expect(made.findings(of: NFCConfigurationCheck.self).isProblem(words, remedy: "pn532_uart:/dev/ttyUSB0"))
        #expect(!made.diagnosis(for: .nfc()).isUsable)
    }

    @Test func whatIsNoDeviceIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.write("/dev/ttyUSB0", "")
        let board = WantedReader.nfc(connstring: "pn532_uart:/dev/ttyUSB0")
        #expect(made.findings(of: NFCConfigurationCheck.self, for: board).isProblem("is not a device"))
        #expect(!made.diagnosis(for: board).isUsable)
    }

    @Test func aReaderThatBothWantIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.isInGroup = true
        made.plug("072f:2200")
        made.service = .notAsked
        #expect(made.findings(of: NFCConflictCheck.self, for: .nfc()).isEmpty)
        #expect(made.diagnosis(for: .nfc()).isUsable)
        // That the service runs does not mean that it has the reader.
        made.run("pcscd", process: 4)
        #expect(made.findings(of: NFCConflictCheck.self, for: .nfc()).isEmpty)
        #expect(made.diagnosis(for: .nfc()).isUsable)
        made.claim("usbfs")
        #expect(
            made.findings(of: NFCConflictCheck.self, for: .nfc()).isProblem(
                "072f:2200", "in use by another program, probably pcscd", remedy: "systemctl stop pcscd.socket"))
        #expect(!made.diagnosis(for: .nfc()).isUsable && made.diagnosis(for: .nfc()).code == .readerBusy)
        made.link("/proc/4/fd/7", "/dev/bus/usb/001/001")
        #expect(made.findings(of: NFCConflictCheck.self, for: .nfc()).isProblem("in use by pcscd (process 4)"))
        // Who asked for nothing special is served by PC/SC.
        made.service = .reader("ACS ACR122U 00 00")
        #expect(made.findings(of: NFCConflictCheck.self).isNote("pcscd is using", "072f:2200"))
        #expect(made.findings(of: ReaderListedCheck.self).isFine)
        made.environment["LIBNFC_DEFAULT_DEVICE"] = "acr122_usb:001:001"
        #expect(made.findings(of: NFCConflictCheck.self).isProblem("is configured for", remedy: "Use it with pcsc;"))
        made.environment = ["LIBNFC_AUTO_SCAN": "false"]
        #expect(made.findings(of: NFCConflictCheck.self).isEmpty)
    }

    /// The service runs and lists nothing: it does not have the reader that the kernel took.
    @Test func whatTheKernelTookIsNotTheServices() throws {
        let made = try MadeUpMachine()
        made.isInGroup = true
        made.run("pcscd", process: 4)
        made.plug("072f:2200", driver: "pn533_usb")
        for wanted in [WantedReader.any, .nfc(), .pcsc()] {
            let diagnosis = made.diagnosis(for: wanted)
            #expect(diagnosis.findings.allSatisfy { !$0.evidence.contains("pcscd is using") })
            #expect(diagnosis.findings.allSatisfy { !$0.evidence.contains("in use by") })
            #expect(
                diagnosis.problems.filter { $0.check == KernelModuleCheck.name }
                    .isProblem("pn533_usb has claimed ACS ACR122U", remedy: "modprobe -r pn533_usb"))
            #expect(!diagnosis.isUsable && diagnosis.code == (wanted == .nfc() ? .readerBusy : .noReader))
        }
        // A second one that the service has is no reason to think so of the first.
        made.plug("072f:2200", driver: "usbfs")
        made.service = .reader("ACS ACR122U PICC Interface 00 00")
        #expect(made.findings(of: ReaderListedCheck.self).isFine)
        #expect(made.findings(of: NFCConflictCheck.self).isNote("pcscd is using", "USB 1-2"))
        #expect(made.findings(of: KernelModuleCheck.self).isProblem("USB 1-1"))
    }

    /// Of two of a model the service lists one: the one that it has claimed.
    @Test func whatTheServiceListsIsWhatItClaimed() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200")
        made.plug("072f:2200", driver: "usbfs")
        made.service = .reader("ACS ACR122U PICC Interface 00 00")
        #expect(made.findings(of: NFCConflictCheck.self).isNote("pcscd is using", "USB 1-2"))
        #expect(made.findings(of: ReaderListedCheck.self).filter { !$0.isFine }.isProblem("USB 1-1", "does not list"))
    }

    @Test(arguments: ["072f:2200", "04cc:2533"])
    func whatAnotherProgramHasIsFoundOut(_ id: String) throws {
        let made = try MadeUpMachine()
        made.isInGroup = true
        made.plug(id, USBPart.vendorSpecific, driver: "usbfs")
        made.run("pcscd", process: 4)
        made.run("nfc-poll", process: 9, holding: "/dev/bus/usb/001/001")
        #expect(
            made.findings(of: NFCConflictCheck.self, for: .nfc())
                .isProblem(id, "in use by nfc-poll (process 9)", remedy: "Close that program"))
        let diagnosis = made.diagnosis(for: .nfc())
        #expect(!diagnosis.isUsable && diagnosis.code == .readerBusy)
        #expect(made.findings(of: NFCConflictCheck.self).isNote(id))
    }

    @Test func readersOfOneKindAreNotFoughtOver() throws {
        let made = try MadeUpMachine()
        made.run("pcscd", process: 4)
        made.plug("04cc:2533", USBPart.vendorSpecific)
        made.plug("076b:5022")
        #expect(made.findings(of: NFCConflictCheck.self, for: .nfc()).isEmpty)
    }

    @Test func aReaderOnUSBCanBeUsed() throws {
        let made = try MadeUpMachine()
        made.service = .notAsked
        made.plug("04cc:2533", USBPart.vendorSpecific)
        #expect(!made.diagnosis(for: .nfc()).isUsable)
        made.isInGroup = true
        #expect(made.findings(of: NFCDeviceCheck.self, for: .nfc()).isFine)
        #expect(made.diagnosis(for: .nfc()).isUsable)
        #expect(made.diagnosis(for: .nfc(connstring: "pn53x_usb:001:001")).isUsable)
        #expect(!made.diagnosis(for: .nfc(connstring: "pn532_uart:/dev/ttyUSB0")).isUsable)
        for name in ["pn53x_usb:001:002", "acr122_usb"] {
            let other = made.diagnosis(for: .nfc(connstring: name))
            #expect(!other.isUsable && other.code == .noReader)
            #expect(
                other.problems.filter { $0.check == NFCConfigurationCheck.name }
                    .isProblem("\(name) (named): no such reader is plugged in", remedy: "name the driver"))
        }
        made.environment["LIBNFC_AUTO_SCAN"] = "no"
        #expect(!made.diagnosis(for: .nfc()).isUsable)
        #expect(made.diagnosis(for: .nfc()).code == .noReader)
    }

    @Test func noDeviceAtAllIsAProblemOfWhoWantsOne() throws {
        let made = try MadeUpMachine()
        #expect(
            made.findings(of: NFCDeviceCheck.self, for: .nfc()).isProblem("finds no device", remedy: "port: nfc:")
        )
        #expect(made.findings(of: NFCDeviceCheck.self).isEmpty)
    }
}
