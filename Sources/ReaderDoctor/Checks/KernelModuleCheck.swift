import CardReaders
import SmartCard

/// Has the kernel's own NFC driver claimed a reader?
enum KernelModuleCheck: DoctorCheck {
    static let name = "kernel_modules"
    static let kinds: Set<ReaderKind> = [.pcsc, .nfc]
    /// The modules, in the order in which they can be unloaded.
    static let modules = ["pn533_usb", "pn533", "nfc"]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let taken = machine.usbDevices.compactMap { device in driver(of: device).map { (device, $0) } }
        let loaded = modules.filter { machine.loadedModules.contains($0) }
        let unload = "sudo modprobe -r \((loaded.isEmpty ? modules : loaded).joined(separator: " "))"
        if !taken.isEmpty {
            return taken.map { device, driver in
                problem(
                    machine.claim(of: device, by: .kernel(driver: driver)) + ", so neither pcscd nor libnfc can use it",
                    remedy: modules.contains(driver)
                        ? release(unload, machine)
                        : "sudo modprobe -r \(machine.module(of: driver)), then plug the reader back in")
            }
        }
        if !loaded.isEmpty {
            let lasting = isBlacklisted(machine) ? "" : "; to keep it off: \(SetupCommand.blacklist(on: machine))"
            return [
                note(
                    "Loaded, but not using a reader now: \(loaded.joined(separator: ", ")) (/proc/modules)",
                    remedy: unload + lasting)
            ]
        }
        guard machine.usbDevices.contains(where: { $0.model?.isTakenByKernel == true }) else { return [] }
        return [fine("None of \(modules.joined(separator: ", ")) is loaded")]
    }

    /// Without a blacklist, the kernel claims the reader again as soon as it is plugged back in.
    private static func release(_ unload: String, _ machine: Machine) -> String {
        isBlacklisted(machine)
            ? "\(unload), then plug the reader back in"
            : "\(SetupCommand.blacklist(on: machine)) (a blacklist), then \(unload), and plug the reader back in"
    }

    private static func isBlacklisted(_ machine: Machine) -> Bool { machine.blacklistedModules.contains("pn533_usb") }

    /// The kernel's driver that has claimed a part of the device and keeps programs from using it as a reader; `nil`:
    /// none has. A reader that libnfc drives has no part for any other driver; a PC/SC reader may be a keyboard as
    /// well.
    static func driver(of device: USBDevice) -> String? {
        device.kernelDrivers.first { modules.contains($0) || device.model?.isForNFC == true }
    }
}
