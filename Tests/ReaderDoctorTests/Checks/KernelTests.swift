import CardReaders
import Glibc
import TestSupport
import Testing

@testable import ReaderDoctor

/// What the kernel does to readers: its own drivers, and who may open what.
@Suite struct KernelTests {
    @Test(arguments: ["072f:2200", "04cc:2533", "04e6:5591", "054c:02e1"])
    func aReaderTakenByTheKernelIsFoundOut(_ id: String) throws {
        let made = try MadeUpMachine()
        made.plug(id, USBPart.vendorSpecific, driver: "pn533_usb")
        made.write(
            "/proc/modules", "pn533_usb 1 0 - Live 0x0\npn533 1 1 pn533_usb, Live 0x0\nnfc 1 1 pn533, Live 0x0\n")
        #expect(
            made.findings(of: KernelModuleCheck.self)
                .isProblem("pn533_usb has claimed", id, remedy: "sudo modprobe -r pn533_usb pn533 nfc, then plug"))
        // Without a blacklist it would be taken again.
        made.remove("/etc/modprobe.d/tapkit-blacklist.conf")
        #expect(
            made.findings(of: KernelModuleCheck.self).isProblem(
                "pn533_usb has claimed", id, remedy: "udev/setup.sh (a blacklist), then sudo modprobe -r"))
    }

    /// Whatever driver of the kernel's it is, libnfc's reader is lost to it; a PC/SC reader may be a keyboard as well.
    @Test func aReaderTakenByAnotherDriverIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("076b:5427", USBPart.keyboard, driver: "usbhid")
        #expect(made.findings(of: KernelModuleCheck.self).isEmpty)
        made.plug("04e6:5594", USBPart.vendorSpecific, driver: "strange")
        #expect(
            made.findings(of: KernelModuleCheck.self)
                .isProblem("strange has claimed", "04e6:5594", remedy: "modprobe -r strange, then"))
        // A driver and its module can have different names.
        made.link("/sys/bus/usb/drivers/strange/module", "../../../../module/stranger")
        #expect(
            made.findings(of: KernelModuleCheck.self)
                .isProblem("strange has claimed", "04e6:5594", remedy: "modprobe -r stranger, then"))
    }

    @Test func loadedModulesAreNoted() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: KernelModuleCheck.self).isEmpty)
        made.plug("072f:2200", driver: "usbfs")
        #expect(made.findings(of: KernelModuleCheck.self).isFine)
        made.write("/proc/modules", "nfc 1 0 - Live 0x0\n")
        #expect(made.findings(of: KernelModuleCheck.self).isNote("nfc (/proc/modules)", remedy: "modprobe -r nfc"))
        made.remove("/etc/modprobe.d/tapkit-blacklist.conf")
        #expect(made.findings(of: KernelModuleCheck.self).isNote("nfc", remedy: "; to keep it off: sudo udev/setup.sh"))
    }

    @Test func aMissingBlacklistIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isFine)
        made.remove("/etc/modprobe.d/tapkit-blacklist.conf")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isProblem("072f:2200", remedy: "udev/setup.sh"))
        made.write(SetupCommand.packageMark, "tapkit\n")
        #expect(
            made.findings(of: ModuleBlacklistCheck.self).isProblem(
                "072f:2200",
                remedy: "sudo cp /usr/share/doc/tapkit/examples/tapkit-blacklist.conf /etc/modprobe.d/ (a blacklist)"))
        made.write("/etc/modprobe.d/a.conf", "# blacklist pn533_usb\nblacklist pn533\n")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isProblem("072f:2200"))
        // Debian's own will do.
        made.write("/lib/modprobe.d/blacklist-libnfc.conf", "blacklist nfc\nblacklist pn533\nblacklist  pn533_usb\n")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isFine)
        made.remove("/lib/modprobe.d")
        made.write("/etc/modprobe.d/b.conf", "install pn533-usb /bin/false\n")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isFine)
    }

    @Test func aBlacklistIsForReadersThatNeedIt() throws {
        let made = try MadeUpMachine()
        made.remove("/etc/modprobe.d/tapkit-blacklist.conf")
        made.plug("076b:5022")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isEmpty)
        made.plug("072f:2200")
        made.remove("/proc/modules")
        #expect(made.findings(of: ModuleBlacklistCheck.self).isEmpty)
    }

    private static let libnfcReaders = ReaderModel.all.filter { $0.isForNFC }.map { $0.identifier.description }

    @Test(arguments: libnfcReaders)
    func missingRulesAreFoundOut(_ id: String) throws {
        let made = try MadeUpMachine()
        made.plug(id, USBPart.vendorSpecific)
        #expect(made.findings(of: ReaderRulesCheck.self).isFine)
        made.remove("/etc/udev/rules.d/70-tapkit.rules")
        #expect(
            made.findings(of: ReaderRulesCheck.self).isProblem(
                id, "70-tapkit.rules", "is missing", remedy: "udev/setup.sh"))
        // The Debian package comes without that script.
        made.write(SetupCommand.packageMark, "tapkit\n")
        #expect(
            made.findings(of: ReaderRulesCheck.self).isProblem(
                id, remedy: "sudo cp /usr/share/doc/tapkit/examples/70-tapkit.rules /etc/udev/rules.d/, then plug"))
        // An old or emptied file.
        let vendor = id.prefix(4)
        made.write(
            "/etc/udev/rules.d/70-tapkit.rules",
            "# ATTR{idVendor}==\"\(vendor)\", ATTR{idProduct}==\"\(id.suffix(4))\", TAG+=\"uaccess\"\n"
                + "ATTR{idVendor}==\"\(vendor)\", ATTR{idProduct}==\"ffff\", TAG+=\"uaccess\"\n"
                + "ATTR{idVendor}==\"\(vendor)\", ATTR{idProduct}==\"\(id.suffix(4))\", ENV{ID_SMARTCARD_READER}=\"1\"\n"
        )
        #expect(made.findings(of: ReaderRulesCheck.self).isProblem(id, "has no rule"))
        // Where somebody else's rule lets the user at the device, that is enough for now.
        made.isInGroup = true
        #expect(made.findings(of: ReaderRulesCheck.self).isNote(id))
    }

    @Test func rulesAreForReadersThatNeedThem() throws {
        let made = try MadeUpMachine()
        made.remove("/etc/udev")
        made.plug("076b:5022")
        #expect(made.findings(of: ReaderRulesCheck.self).isEmpty)
        #expect(made.findings(of: DeviceAccessCheck.self).isEmpty)
    }

    @Test func aDeviceThatMayNotBeOpenedIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.plug("04cc:2533", USBPart.vendorSpecific)
        #expect(
            made.findings(of: DeviceAccessCheck.self).isProblem(
                "/dev/bus/usb/001/001", "mode 0664, owner owner, group dialout", remedy: "adduser satoshi dialout"))
        made.isInGroup = true
        #expect(made.findings(of: DeviceAccessCheck.self).isFine)
        chmod(made.location("/dev/bus/usb/001/001"), 0o600)
        #expect(made.findings(of: DeviceAccessCheck.self).isProblem("mode 0600", remedy: "adduser satoshi plugdev"))
        made.remove("/dev/bus/usb/001/001")
        #expect(made.findings(of: DeviceAccessCheck.self).isProblem("does not exist"))
        // A board's user does not care about USB readers.
        #expect(made.findings(of: DeviceAccessCheck.self, for: .nfc(connstring: "pn532_uart:/dev/ttyUSB0")).isEmpty)
    }

    @Test func aReaderThatPCSCServesToo() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200")
        #expect(made.findings(of: DeviceAccessCheck.self).isNote("072f:2200"))
        #expect(made.findings(of: DeviceAccessCheck.self, for: .nfc()).isProblem("072f:2200"))
    }
}
