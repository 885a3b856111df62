import Foundation
import Glibc
import TestSupport
import Testing

@testable import ReaderDoctor

/// How the doctor reads a machine: whatever lies there, in whatever state.
@Suite struct MachineTests {
    @Test func hugeAndStrangeFilesAreHarmless() throws {
        let made = try MadeUpMachine()
        made.write("/proc/modules", String(repeating: "x", count: 3_000_000))
        #expect(made.machine.text("/proc/modules")?.utf8.count ?? 0 < 2_000_000)
        // A pipe would hold up whoever opens it for reading, and a device whoever opens it at all.
        made.pipe("/etc/nfc/libnfc.conf", 0o666)
        #expect(made.machine.text("/etc/nfc/libnfc.conf") == nil)
        #expect(made.machine.libnfc.devices.isEmpty)
        made.makeFolder("/etc/group.d")
        #expect(made.machine.text("/etc/group.d") == nil)
        #expect(made.machine.names("/none").isEmpty)
    }

    @Test func usbDevicesAreReadOrLeftOut() throws {
        let made = try MadeUpMachine()
        made.plug("072f:2200", driver: "usbfs")
        made.makeFolder("/sys/bus/usb/devices/usb1")
        made.write("/sys/bus/usb/devices/1-9/idVendor", "xyz\n")
        made.write("/sys/bus/usb/devices/1-9/idProduct", "0001\n")
        made.write("/sys/bus/usb/devices/1-8/idVendor", "0001\n")
        made.write("/sys/bus/usb/devices/1-8/idProduct", "0002\n")
        let devices = made.machine.usbDevices
        #expect(devices.map(\.port) == ["1-1", "1-8"])
        #expect(devices[0].node == "/dev/bus/usb/001/001" && devices[1].node == nil)
        #expect(devices[0].release == 0x0214 && devices[0].interfaces[0].driver == "usbfs" && devices[0].isCCID)
        #expect(devices[1].interfaces.isEmpty && devices[1].title == "USB device (0001:0002) at USB 1-8")
    }

    @Test func accessGoesByOwnerGroupAndOthers() throws {
        let made = try MadeUpMachine()
        made.pipe("/dev/a", 0o606)
        #expect(made.machine.access("/dev/a") == .granted)
        made.isInGroup = true
        #expect(
            made.machine.access("/dev/a")
                == .refused(mode: "0606", owner: "owner", group: MadeUpMachine.group, isForGroup: false))
        chmod(made.location("/dev/a"), 0o640)
        #expect(made.machine.access("/dev/a") != .granted)
        chmod(made.location("/dev/a"), 0o660)
        #expect(made.machine.access("/dev/a") == .granted)
        #expect(made.machine.access("/dev/b") == .missing)
    }

    /// For this process's user the system is asked, which knows more than the permission bits.
    @Test func theRealMachineIsAsked() throws {
        let machine = Machine.real(service: .notAsked)
        #expect(machine.user.identifier == geteuid() && machine.user.groups.contains(getegid()))
        #expect(machine.access("/dev/null") == .granted)
        #expect(machine.access("/dev/no such device") == .missing)
        #expect(machine.isDevice("/dev/null") && !machine.isDevice("/etc/passwd") && !machine.isDevice("/etc"))
        #expect(machine.processes.contains { $0.identifier == Int(getpid()) })
        let folder = try TestSupport.TemporaryFolder()
        let path = try folder.write("x", to: "open")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(machine.holders(of: path).map(\.identifier) == [Int(getpid())])
        // A lock of this process.
        #expect(machine.lockHolder(of: path) == nil)
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(machine.lockHolder(of: path) == Int(getpid()))
    }
}
