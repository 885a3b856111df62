/// Does the PC/SC service name every reader that its drivers know?
enum ReaderListedCheck: DoctorCheck {
    static let name = "reader_listed"
    static let backends: Set<WantedReader.Backend> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard let readers = machine.service.readers else { return [] }
        let entries = machine.cardDrivers.flatMap { $0.entries }
        var unseen = readers.map { $0.name }
        return machine.usbDevices.compactMap { device in
            guard let entry = entries.first(where: { $0.identifier == device.identifier }) else { return nil }
            if let index = unseen.firstIndex(where: { $0.hasPrefix(entry.name) }) {
                return fine("\(device.title) is “\(unseen.remove(at: index))”")
            }
            // With these causes, which have findings of their own, the service cannot name it.
            if KernelModuleCheck.isTaken(device) || FirmwareCheck.isTooOld(device) { return nil }
            if let user = machine.serviceUser, !machine.hasCardDriverRules {
                return problem(
                    "pcscd runs as \(user), and libccid's udev rules (92-libccid.rules) are missing, which give it \(device.title)",
                    remedy: "sudo apt-get install --reinstall libccid, then plug the reader in again")
            }
            return problem(
                "\(device.title) is plugged in, and pcscd does not name it", remedy: remedy(device, machine))
        }
    }

    private static func remedy(_ device: USBDevice, _ machine: Machine) -> String {
        let reason =
            device.identifier == ReaderModel.acr122u
            ? "unplug it and plug it in again: after a USB time-out an ACR122U works only then"
            : "unplug it and plug it in again"
        return reason + "; if that does not help: " + (machine.hasSystemd ? "journalctl -u pcscd" : "pcscd's log")
            + " says why"
    }
}
