import CardReaders
import SmartCard

/// Has the kernel's own NFC driver claimed a reader?
enum KernelModuleCheck: DoctorCheck {
    static let name = "kernel_modules"
    static let kinds: Set<ReaderKind> = [.pcsc, .nfc]
    /// The modules, in the order in which they can be unloaded.
    static let modules = ["pn533_usb", "pn533", "nfc"]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let taken = machine.usbDevices.filter(isTaken)
        let loaded = modules.filter { machine.loadedModules.contains($0) }
        let unload = "sudo modprobe -r \((loaded.isEmpty ? modules : loaded).joined(separator: " "))"
        if !taken.isEmpty {
            return taken.map { device in
                problem(
                    "The kernel driver \(driver(of: device)) has claimed \(device.title), so neither pcscd nor libnfc can use it",
                    remedy:
                        "\(unload), then plug the reader back in; to fix it permanently: udev/setup.sh installs a blacklist"
                )
            }
        }
        if !loaded.isEmpty {
            return [
                note(
                    "Loaded, but not using a reader now: \(loaded.joined(separator: ", ")) (/proc/modules)",
                    remedy: "\(unload); to fix it permanently: udev/setup.sh installs a blacklist")
            ]
        }
        guard machine.usbDevices.contains(where: { $0.model?.isTakenByKernel == true }) else { return [] }
        return [fine("None of \(modules.joined(separator: ", ")) is loaded")]
    }

    /// Whether the kernel's driver has claimed a part of the device.
    static func isTaken(_ device: USBDevice) -> Bool {
        device.interfaces.contains { $0.driver.map { modules.contains($0) } ?? false }
    }

    private static func driver(of device: USBDevice) -> String {
        device.interfaces.compactMap { $0.driver }.first { modules.contains($0) } ?? ""
    }
}
