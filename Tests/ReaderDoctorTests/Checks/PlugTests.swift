import TestSupport
import Testing

@testable import ReaderDoctor

/// What is plugged in at all.
@Suite struct PlugTests {
    @Test func aMachineWithoutReaderSaysSo() throws {
        let made = try MadeUpMachine()
        made.plug("046d:c31c", USBPart.keyboard)
        made.service = .noService
        #expect(made.findings(of: PluggedInCheck.self).isProblem("none among 1 USB devices", remedy: "lsusb"))
        made.remove("/sys/bus")
        #expect(made.findings(of: PluggedInCheck.self).isProblem("has no USB"))
    }

    @Test func aReaderIsNamed() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022")
        #expect(made.findings(of: PluggedInCheck.self).isFine)
        #expect(made.findings(of: PluggedInCheck.self)[0].evidence == "HID OMNIKEY 5022 CL (076b:5022) at USB 1-1")
        // A PC/SC reader is none for libnfc, and the other way round.
        #expect(made.findings(of: PluggedInCheck.self, for: .nfc()).isProblem("none among"))
        let other = try MadeUpMachine()
        other.plug("04cc:2533", USBPart.vendorSpecific)
        #expect(other.findings(of: PluggedInCheck.self, for: .nfc()).isFine)
        #expect(other.findings(of: PluggedInCheck.self, for: .pcsc()).isProblem("none among"))
    }

    @Test func anUnknownReaderOfTheStandardKindIsOne() throws {
        let made = try MadeUpMachine()
        made.plug("1234:5678", named: "Own\u{1B}[31mName")
        let evidence = made.findings(of: PluggedInCheck.self)[0].evidence
        #expect(evidence.contains("Maker Own\u{1B}[31mName (1234:5678)"))
    }

    @Test func readersThatAreNotOnUSBWillDo() throws {
        let made = try MadeUpMachine()
        made.service = .reader("Virtual PCD 00 00")
        #expect(made.findings(of: PluggedInCheck.self).isFine)
        made.service = .noService
        made.plugBoard()
        #expect(made.findings(of: PluggedInCheck.self).isFine)
        #expect(made.findings(of: PluggedInCheck.self, for: .pcsc()).isProblem())
    }

    @Test(arguments: [("076b:5428", USBPart.vendorSpecific), ("0c27:3bfa", USBPart.keyboard)])
    func readersThatTypeAreFoundOut(_ id: String, _ part: (UInt8, UInt8)) throws {
        let made = try MadeUpMachine()
        made.service = .readers([])
        made.plug(id, part)
        #expect(made.findings(of: KeyboardCheck.self).isProblem(id, "keyboard", remedy: "CCID mode"))
        // That is the cause; that no reader is there follows from it.
        #expect(made.findings(of: PluggedInCheck.self).isEmpty)
    }

    @Test(arguments: [
        ("076b:5022", USBPart.ccid), ("046d:c31c", USBPart.keyboard),
        ("072f:9999", USBPart.mouse),
    ])
    func otherDevicesDoNotType(_ id: String, _ part: (UInt8, UInt8)) throws {
        let made = try MadeUpMachine()
        made.plug(id, part)
        #expect(made.findings(of: KeyboardCheck.self).isEmpty)
    }
}
