import TestSupport
import Testing

@testable import CardReaders

/// Who has a USB device, as the kernel shows it.
@Suite struct USBHolderTests {
    private func holder(_ made: MadeUpHost) throws -> (USBHolder, claim: String)? {
        let device = try #require(made.files.usbDevices.first)
        return made.files.holder(of: device).map { ($0, made.files.claim(of: device, by: $0)) }
    }

    @Test func whatNobodyHasClaimedIsFree() throws {
        let made = try MadeUpHost()
        made.plug("072f:2200")
        // A program that only looks at the device, as lsusb does, has not claimed it.
        made.run("lsusb", process: 5, holding: "/dev/bus/usb/001/001")
        #expect(try holder(made) == nil)
    }

    @Test(arguments: ["pn533_usb", "usbhid"])
    func theKernelsDriverIsNamed(_ driver: String) throws {
        let made = try MadeUpHost()
        made.plug("072f:2200", driver: driver)
        let (holder, claim) = try #require(try holder(made))
        #expect(holder == .kernel(driver: driver))
        #expect(claim == "The kernel driver \(driver) has claimed ACS ACR122U (072f:2200) at USB 1-1")
    }

    @Test func theProgramIsNamedIfItIsSeen() throws {
        let made = try MadeUpHost()
        made.plugServedReader(isServiceSeen: true)
        let (holder, claim) = try #require(try holder(made))
        #expect(holder == .programs([HostProcess(identifier: 77, name: "pcscd")]))
        #expect(holder.isSeenToBeService && !holder.isSeenToBeOther)
        #expect(claim == "ACS ACR122U (072f:2200) at USB 1-1 is in use by pcscd (process 77)")
    }

    /// The system shows a user which files his own programs have open, and of others only that they run.
    @Test func theServiceIsSupposedWhereItWouldClaimSuchAReader() throws {
        let made = try MadeUpHost()
        made.plugServedReader(isServiceSeen: false)
        let (holder, claim) = try #require(try holder(made))
        #expect(holder == .programs([]) && !holder.isSeenToBeService && !holder.isSeenToBeOther)
        #expect(claim.hasSuffix("is in use by another program, probably pcscd"))
        made.remove("/proc/77")
        #expect(try #require(try self.holder(made)).claim.hasSuffix("is in use by another program"))
        let other = try MadeUpHost()
        other.plug("04cc:2533", USBPart.vendorSpecific, driver: "usbfs")
        other.run("pcscd", process: 77)
        #expect(try #require(try self.holder(other)).claim.hasSuffix("is in use by another program"))
    }
}
