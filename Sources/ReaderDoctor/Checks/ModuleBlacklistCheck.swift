import CardReaders
import SmartCard

/// Will the kernel's NFC driver claim a reader the next time it is plugged in?
enum ModuleBlacklistCheck: DoctorCheck {
    static let name = "module_blacklist"
    static let kinds: Set<ReaderKind> = [.pcsc, .nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let devices = machine.usbDevices.filter { $0.model?.isTakenByKernel == true }
        // A kernel without modules has none to blacklist.
        guard let device = devices.first, machine.exists("/proc/modules") else { return [] }
        guard !machine.blacklistedModules.contains("pn533_usb") else {
            return [fine("pn533_usb is blacklisted in modprobe.d")]
        }
        return [
            problem(
                "No file in modprobe.d blacklists pn533_usb, which claims \(device.title) when it is plugged in",
                remedy: "\(SetupCommand.blacklist(on: machine)) (a blacklist), then plug the reader back in")
        ]
    }
}
