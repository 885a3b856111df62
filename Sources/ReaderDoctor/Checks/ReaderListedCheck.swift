import CardReaders
import SmartCard

/// Does the PC/SC service list every reader that its drivers support?
enum ReaderListedCheck: DoctorCheck {
    static let name = "reader_listed"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard let readers = machine.service.readers else { return [] }
        let entries = machine.cardDrivers.flatMap { $0.entries }
        var unseen = readers.map { $0.name }
        return machine.usbDevices.compactMap { device in
            guard let entry = entries.first(where: { $0.identifier == device.identifier }) else { return nil }
            if let index = unseen.firstIndex(where: { $0.hasPrefix(entry.name) }) {
                return fine("\(device.title) is “\(unseen.remove(at: index))”")
            }
            // In these cases, which have their own findings, the service cannot list it.
            if KernelModuleCheck.isTaken(device) || FirmwareCheck.isTooOld(device) { return nil }
            if let user = machine.serviceUser, !machine.hasCardDriverRules {
                return problem(
                    "pcscd runs as \(user), but libccid's udev rules (92-libccid.rules), which give it access to \(device.title), are missing",
                    remedy: "sudo apt-get install --reinstall libccid, then plug the reader back in")
            }
            return problem(
                "\(device.title) is plugged in, but pcscd does not list it", remedy: remedy(device, machine))
        }
    }

    private static func remedy(_ device: USBDevice, _ machine: Machine) -> String {
        let reason =
            device.identifier == ReaderModel.acr122u
            ? "Unplug it and plug it back in: an ACR122U needs that after a USB timeout"
            : "Unplug it and plug it back in"
        return reason + "; if that does not help: " + (machine.hasSystemd ? "journalctl -u pcscd" : "pcscd's log")
            + " shows why"
    }
}
