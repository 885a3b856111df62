import CardReaders
import TestSupport
import Testing

@testable import ReaderDoctor

/// The drivers of the PC/SC service, and what it names.
@Suite struct DriverTests {
    @Test func aReaderThatNoDriverKnowsIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022")
        #expect(made.findings(of: CardDriverCheck.self).isFine)
        let known = try MadeUpMachine()
        known.plug("072f:2210")
        #expect(known.findings(of: CardDriverCheck.self).isProblem("072f:2210", "a CCID reader", remedy: "libacsccid1"))
        // Debian's package of the maker's driver is older than this one.
        let other = try MadeUpMachine()
        other.plug("072f:2303")
        #expect(
            other.findings(of: CardDriverCheck.self).isProblem("072f:2303", "a CCID reader", remedy: "newer libccid"))
        #expect(!other.findings(of: CardDriverCheck.self).contains { $0.remedy?.contains("libacsccid1") == true })
        // Another driver may know it.
        other.write(
            "/usr/lib/pcsc/drivers/ifd-acsccid.bundle/Contents/Info.plist",
            """
            <key>ifdVendorID</key><array><string>0x072f</string></array>
            <key>ifdProductID</key><array><string>0x2303</string></array>
            <key>ifdFriendlyName</key><array><string>ACS ACR1552</string></array>
            """)
        #expect(other.findings(of: CardDriverCheck.self).isFine)
    }

    @Test func anUnknownReaderOfTheStandardKindIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("1234:5678")
        #expect(
            made.findings(of: CardDriverCheck.self).isProblem("1234:5678", "a CCID reader", remedy: "newer libccid"))
    }

    @Test func anUninstalledDriverIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022")
        // Only its configuration is left when the package is removed and not purged.
        made.write("/etc/libccid_Info.plist", try #require(made.machine.text(MadeUpMachine.driverList)))
        made.remove(MadeUpMachine.driverList)
        #expect(made.findings(of: CardDriverCheck.self).isProblem("Info.plist", remedy: "apt-get install libccid"))
    }

    @Test func aLanguageOfItsOwnIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("072f:8888", USBPart.vendorSpecific)
        #expect(made.findings(of: CardDriverCheck.self).isProblem("072f:8888", "vendor-specific", remedy: "driver"))
    }

    @Test(arguments: ["046d:0825", "04cc:2533", "10c4:ea60"])
    func otherDevicesNeedNoDriver(_ id: String) throws {
        let made = try MadeUpMachine()
        made.plug(id, USBPart.vendorSpecific)
        #expect(made.findings(of: CardDriverCheck.self).isEmpty)
    }

    @Test func aListIsReadWithWhatElseIsInIt() {
        let list = CardDriverList(
            propertyList: """
                <?xml version="1.0"?><plist version="1.0"><dict><key>ifdVendorString</key><string>a</string>
                <!-- ifdVendorID: the readers -->
                <key>ifdVendorID</key><array><string>0x072F</string><string></string><string> 0x076b </string></array>
                <key>ifdProductID</key>
                <array>
                	<string>0x2200</string><!-- the second is none --><string>0x0001</string>
                	<string>0x5022</string>
                </array>
                <key>Other</key><true/><key>ifdFriendlyName</key><array>
                <string>One</string><string>Two</string><string>Three</string><string>Four</string></array>
                <key>ifdDriverOptions</key><string>0x0004</string></dict></plist>
                """)
        #expect(list.entries.map(\.name) == ["One", "Three"])
        #expect(list.entries.map(\.identifier) == [USBID(0x072F, 0x2200), USBID(0x076B, 0x5022)])
        #expect(list.toleratesFaultyFirmware)
        #expect(CardDriverList(propertyList: "").entries.isEmpty)
    }

    @Test func aListsTimeIsLinear() throws {
        for (what, start, piece) in [
            ("keys", "", "<key>ifdVendorID</key>"), ("strings", "<key>ifdVendorID</key>", "<string>0x072f</string>"),
            ("brackets", "", "<"), ("letters of a key", "<key>", "x"),
            ("digits", "<key>ifdDriverOptions</key><string>", "1"),
            ("accents of a key", "<key>ifdVendorID", "\u{316}\u{301}"),
            ("accents of a number", "<key>ifdDriverOptions</key><string>0x", "\u{316}\u{301}"),
        ] {
            try Scaling.expectLinear(what, upTo: 1 << 16) { size in
                start + String(repeating: piece, count: size)
            } work: { text in
                _ = CardDriverList(propertyList: text)
            }
        }
    }

    /// The driver's list on Debian, if it is on this machine, is read whole.
    @Test func theListOfDebiansDriverIsRead() throws {
        let machine = Machine.real(service: .notAsked)
        let drivers = machine.cardDrivers
        let list = try #require(drivers.first { $0.entries.count > 100 }, "libccid is not installed: udev/setup.sh")
        let known = list.entries.first { $0.identifier == ReaderModel.acr122u }
        #expect(known?.name.hasPrefix("ACS ACR122U") == true)
        #expect(list.entries.contains { $0.identifier == USBID(0x076B, 0x5022) })
        #expect(!list.toleratesFaultyFirmware)
    }

    @Test(arguments: [("0100", true), ("0205", true), ("0206", false), ("0214", false)])
    func oldFirmwareIsFoundOut(_ release: String, _ isTooOld: Bool) throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200", release: release)
        let findings = made.findings(of: FirmwareCheck.self)
        let version = "firmware \(Int(release.prefix(2)) ?? 0).\(release.suffix(2))"
        #expect(isTooOld ? findings.isProblem(version, "older than 2.06", remedy: "0x0004") : findings.isFine)
        #expect(findings[0].evidence.contains(version))
        made.writeDriverList(options: "0x0004")
        #expect(
            isTooOld
                ? made.findings(of: FirmwareCheck.self).isNote(version) : made.findings(of: FirmwareCheck.self).isFine)
    }

    @Test func onlyTheACR122UHasThatFirmware() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022", release: "0100")
        #expect(made.findings(of: FirmwareCheck.self).isEmpty)
    }

    @Test func aReaderThatTheServiceDoesNotNameIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022")
        #expect(
            made.findings(of: ReaderListedCheck.self).isProblem(
                "076b:5022", "does not list", remedy: "restart pcscd.socket pcscd.service (journalctl"))
        made.service = .reader("HID Global OMNIKEY 5022 Smart Card Reader [OMNIKEY 5022] (123) 00 00")
        #expect(made.findings(of: ReaderListedCheck.self).isFine)
        made.plug("076b:5022")
        #expect(made.findings(of: ReaderListedCheck.self).filter { !$0.isFine }.isProblem("1-2"))
        made.service = .noService
        #expect(made.findings(of: ReaderListedCheck.self).isEmpty)
    }

    /// What the service has claimed and does not list hangs; what another program has, the service cannot use.
    @Test func whoHasWhatTheServiceDoesNotListIsSaid() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200", driver: "usbfs")
        made.run("pcscd", process: 4)
        let check = ReaderListedCheck.self
        #expect(
            made.findings(of: check).isProblem("probably pcscd, but pcscd does not list it", remedy: "a USB timeout"))
        made.run("pcscd", process: 4, holding: "/dev/bus/usb/001/001")
        #expect(made.findings(of: check).isProblem("pcscd (process 4), but pcscd does not", remedy: "journalctl"))
        made.remove("/proc/4")
        made.run("tapkit", process: 9, holding: "/dev/bus/usb/001/001")
        #expect(
            made.findings(of: check).isProblem(
                "tapkit (process 9), so pcscd cannot use it", remedy: "Close that program"))
        // The one that the service lists is another one.
        made.plug("072f:2200", driver: "usbfs")
        made.service = .reader("ACS ACR122U PICC Interface 00 00")
        #expect(made.findings(of: check).filter { !$0.isFine }.isProblem("USB 1-1", "tapkit"))
    }

    @Test func anACR122UThatHangsWantsReplugging() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200")
        #expect(made.findings(of: ReaderListedCheck.self).isProblem("072f:2200", remedy: "timeout"))
    }

    /// From pcsc-lite 2 on the service is not root, and needs rules to get at readers.
    @Test func missingRulesOfTheDriverAreFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5022")
        made.write("/lib/systemd/system/pcscd.service", "[Service]\nUser=pcscd\n")
        #expect(
            made.findings(of: ReaderListedCheck.self).isProblem(
                "runs as pcscd", "076b:5022", remedy: "reinstall libccid"))
        made.write("/lib/udev/rules.d/92-libccid.rules", "")
        #expect(made.findings(of: ReaderListedCheck.self).isProblem("does not list"))
        made.remove("/lib/udev")
        made.write("/lib/systemd/system/pcscd.service", "[Service]\nExecStart=/usr/sbin/pcscd\n")
        #expect(made.findings(of: ReaderListedCheck.self).isProblem("does not list"))
    }

    @Test(arguments: [("0214", "pn533_usb" as String?), ("0100", nil)])
    func aKnownCauseIsNotReportedTwice(_ release: String, _ driver: String?) throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200", release: release, driver: driver)
        #expect(made.findings(of: ReaderListedCheck.self).isEmpty)
        #expect(!made.diagnosis(for: .pcsc()).isUsable)
    }
}
