import SmartCard
import TestSupport
import Testing

@testable import CardReaders

/// Which of libnfc's devices are listed, without libnfc.
@Suite struct NFCListingTests {
    private func listed(_ made: MadeUpHost) -> [String] {
        withExtendedLifetime(made) { NFCBackend(on: made.files).readers().map(\.spec) }
    }

    private func noReader(_ made: MadeUpHost) -> ReaderError? {
        withExtendedLifetime(made) { NFCBackend(on: made.files).noReader as? ReaderError }
    }

    /// A driver's name is the same after a device was unplugged and plugged in again; its numbers are not.
    @Test func freeDevicesAreListed() throws {
        let made = try MadeUpHost()
        #expect(listed(made).isEmpty && noReader(made)?.kind == .noReader)
        made.plug("046d:c31c", USBPart.keyboard, driver: "usbhid")
        made.plug("072f:2200")
        made.plug("076b:5022")
        made.plug("04cc:2533", USBPart.vendorSpecific)
        #expect(listed(made) == ["nfc:acr122_usb", "nfc:pn53x_usb"])
        made.plug("04e6:5591", USBPart.vendorSpecific)
        #expect(listed(made) == ["nfc:acr122_usb", "nfc:pn53x_usb:001:004", "nfc:pn53x_usb:001:005"])
    }

    @Test(arguments: [true, false])
    func whatTheServiceHasIsLeftToIt(_ isSeen: Bool) throws {
        let made = try MadeUpHost()
        made.plugServedReader(isServiceSeen: isSeen)
        #expect(listed(made).isEmpty)
        let error = try #require(noReader(made))
        #expect(error.kind == .readerBusy && error.message.contains("ACR122U") && error.message.contains("pcscd"))
        #expect(error.remedy.contains("through PC/SC"))
        // Another one is free.
        made.plug("072f:2200")
        #expect(listed(made) == ["nfc:acr122_usb:001:002"])
    }

    /// The service claims what is plugged in, but not at once; what it would not claim need not wait.
    @Test func theServiceIsGivenTheTimeToClaimAReader() throws {
        let made = try MadeUpHost()
        made.plug("072f:2200")
        made.plug("04cc:2533", USBPart.vendorSpecific)
        let isNew = { (milliseconds: Int) in
            for port in ["1-1", "1-2"] {
                made.write("/sys/bus/usb/devices/\(port)/power/connected_duration", "\(milliseconds)\n")
            }
        }
        isNew(0)
        let both = ["nfc:acr122_usb", "nfc:pn53x_usb"]
        #expect(listed(made) == both)
        made.run("pcscd", process: 77)
        for time in [0, 2_999] {
            isNew(time)
            #expect(listed(made) == Array(both[1...]))
        }
        made.remove("/sys/bus/usb/devices/1-2")
        let error = try #require(noReader(made))
        #expect(error.kind == .readerBusy && error.message.contains("was just plugged in"))
        isNew(3_000)
        #expect(listed(made).first == both[0])
    }

    @Test(arguments: ["072f:2200", "04cc:2533"])
    func whatTheKernelHasIsNotListed(_ id: String) throws {
        let made = try MadeUpHost()
        made.plug(id, USBPart.vendorSpecific, driver: "pn533_usb")
        #expect(listed(made).isEmpty)
        let error = try #require(noReader(made))
        #expect(error.kind == .readerBusy && error.message.contains("kernel driver pn533_usb has claimed"))
        #expect(error.remedy.contains("Unload that driver"))
    }

    /// Opening it says who has it: the service cannot list it.
    @Test func whatAnotherProgramHasIsListed() throws {
        let made = try MadeUpHost()
        made.plug("04cc:2533", USBPart.vendorSpecific, driver: "usbfs")
        made.plug("072f:2200", driver: "usbfs")
        made.run("tapkit", process: 99, holding: "/dev/bus/usb/001/002")
        made.run("pcscd", process: 77)
        #expect(listed(made) == ["nfc:pn53x_usb", "nfc:acr122_usb"])
    }

    @Test(arguments: ["acr122_usb", "acr122_usb:001", "acr122_usb:001:001", "acr122_usb:1:1", "usb"])
    func aConfiguredDeviceIsListedOnce(_ name: String) throws {
        let made = try MadeUpHost()
        made.environment["LIBNFC_DEFAULT_DEVICE"] = name
        // It may come later.
        #expect(listed(made) == ["nfc:\(name)"])
        made.plug("072f:2200")
        #expect(listed(made) == ["nfc:acr122_usb"])
        made.environment["LIBNFC_AUTO_SCAN"] = "false"
        #expect(listed(made) == ["nfc:acr122_usb"])
        made.claim("usbfs")
        #expect(listed(made).isEmpty && noReader(made)?.kind == .readerBusy)
    }

    @Test func whatIsNotLookedForIsNotMissed() throws {
        let made = try MadeUpHost()
        made.plug("072f:2200", driver: "pn533_usb")
        made.plug("04cc:2533", USBPart.vendorSpecific)
        made.environment["LIBNFC_AUTO_SCAN"] = "false"
        #expect(listed(made).isEmpty && noReader(made)?.kind == .noReader)
        made.environment["LIBNFC_DEVICE"] = "pn532_uart:/dev/ttyUSB0"
        #expect(listed(made) == ["nfc:pn532_uart:/dev/ttyUSB0"])
    }

    /// libnfc opens an optional device to find out whether it is there, even while a program uses it.
    @Test func anOptionalDeviceIsListedIfItIsThere() throws {
        let made = try MadeUpHost()
        made.write("/etc/nfc/devices.d/a.conf", "connstring = pn532_uart:/dev/ttyUSB0\noptional = true\n")
        made.write("/etc/nfc/devices.d/b.conf", "connstring = acr122_usb\noptional = true\n")
        #expect(listed(made).isEmpty)
        made.pipe("/dev/ttyUSB0", 0o600)
        made.plug("072f:2200")
        #expect(listed(made) == ["nfc:pn532_uart:/dev/ttyUSB0", "nfc:acr122_usb"])
    }

    /// Only at serial ports libnfc looks itself, and that look would open what is on USB as well.
    @Test func libnfcLooksOnlyWhereItIsAskedToAndDisturbsNobody() throws {
        let made = try MadeUpHost()
        func specs() -> [String]? {
            var wasAsked = false
            let listing = NFCListing(of: made.files) {
                wasAsked = true
                return ["pn532_uart:/dev/ttyUSB0", "pn53x_usb:001:001"]
            }
            return wasAsked ? listing.connections.map(\.description) : nil
        }
        made.plug("04cc:2533", USBPart.vendorSpecific)
        #expect(specs() == nil)
        made.write("/etc/nfc/libnfc.conf", "allow_intrusive_scan = true\n")
        #expect(specs() == ["pn53x_usb", "pn532_uart:/dev/ttyUSB0"])
        made.plugServedReader(isServiceSeen: false)
        #expect(specs() == nil)
    }
}
