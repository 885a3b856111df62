import Glibc
import SmartCard
import TestSupport
import Testing

@testable import CardReaders

/// Opening devices on USB: the kernel is asked first. Here libnfc finds none, and would say so.
@Suite struct NFCUSBDeviceTests {
    private func opening(_ text: String, _ made: MadeUpHost) throws -> ReaderError? {
        let name = try #require(NFCConnectionString(text))
        return withExtendedLifetime(made) {
            #expect(throws: ReaderError.self) { _ = try NFCDevice(name, on: made.files) }
        }
    }

    @Test(arguments: ["acr122_usb", "acr122_usb:001", "acr122_usb:001:001", "acr122_usb:1:1", "usb:001:001"])
    func whatTheServiceHasIsNotOpened(_ name: String) throws {
        let made = try MadeUpHost()
        made.plugServedReader(isServiceSeen: false)
        let error = try opening(name, made)
        #expect(error?.kind == .readerBusy && error?.message.contains("probably pcscd") == true, "\(error as Any)")
        #expect(error?.remedy.contains("PC/SC") == true)
        #expect(error?.subject == .reader(.named("nfc:acr122_usb:001:001")))
    }

    @Test func whatTheServiceMayBeAboutToTakeIsNotOpened() throws {
        let made = try MadeUpHost()
        made.deviceCount = 4
        made.plug("072f:2200")
        made.run("pcscd", process: 77)
        made.write("/sys/bus/usb/devices/1-5/power/connected_duration", "100\n")
        let error = try opening("acr122_usb", made)
        #expect(error?.kind == .readerBusy && error?.message.contains("was just plugged in") == true)
    }

    @Test func whatTheKernelHasIsNotOpened() throws {
        let made = try MadeUpHost()
        made.deviceCount = 1
        made.plug("04e6:5591", USBPart.vendorSpecific, driver: "pn533_usb")
        let error = try opening("pn53x_usb:001:002", made)
        #expect(error?.kind == .readerBusy && error?.message.contains("kernel driver pn533_usb") == true)
    }

    @Test func whatAnotherProgramHasIsNotOpened() throws {
        let made = try MadeUpHost()
        made.deviceCount = 2
        made.plug("04e6:5591", USBPart.vendorSpecific, driver: "usbfs")
        made.run("nfc-poll", process: 12, holding: "/dev/bus/usb/001/003")
        let error = try opening("pn53x_usb", made)
        #expect(error?.kind == .readerBusy && error?.message.contains("nfc-poll (process 12)") == true)
        #expect(error?.remedy.contains("Close that program") == true)
    }

    /// Of its own programs a user is told which it is.
    @Test func anothersLockComesFirst() throws {
        let made = try MadeUpHost()
        made.deviceCount = 3
        made.plug("072f:2200", driver: "usbfs")
        let lock = try NFCPortLock(try #require(NFCConnectionString("acr122_usb:001:004")))
        let error = try withExtendedLifetime(lock) { try opening("acr122_usb", made) }
        #expect(error?.kind == .readerBusy && error?.message.contains("(process \(getpid()))") == true)
    }

    /// libnfc would open the first device on USB, whatever that is, and reset it.
    @Test(arguments: ["acr122_usb", "acr122_usb:001:001", "pn53x_usb:001:002", "usb", "acr122_usb:002:002"])
    func whatIsNoReaderOfTheDriverIsNotOpened(_ name: String) throws {
        let made = try MadeUpHost()
        made.plug("0951:1666", USBPart.vendorSpecific)
        if name != "usb" { made.plug("072f:2200") }
        if name == "acr122_usb" { made.remove("/sys/bus/usb/devices/1-2") }
        let error = try opening(name, made)
        #expect(error?.kind == .noReader && error?.message == "\(name) is not plugged in.", "\(error as Any)")
    }

    @Test func theFirstThatIsFreeIsMeant() throws {
        let made = try MadeUpHost()
        made.plugServedReader(isServiceSeen: false)
        made.plug("04cc:2533", USBPart.vendorSpecific)
        made.plug("072f:2200")
        func device(_ text: String) throws -> String {
            try made.files.nfcDevice(named: try #require(NFCConnectionString(text))).connection.description
        }
        #expect(try device("acr122_usb") == "acr122_usb:001:003")
        #expect(try device("usb") == "pn53x_usb:001:002")
        #expect(try device("acr122_usb:001:001") == "acr122_usb:001:001")
    }

    /// A free device is passed on to libnfc, which finds none: no machine has so many buses.
    @Test func whatIsFreeIsOpened() throws {
        let made = try MadeUpHost()
        made.plug("04e6:5591", USBPart.vendorSpecific)
        made.write("/sys/bus/usb/devices/1-1/busnum", "999\n")
        #expect(try opening("pn53x_usb", made)?.message == "libnfc cannot open pn53x_usb.")
    }
}
