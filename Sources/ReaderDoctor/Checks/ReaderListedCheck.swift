import CardReaders
import SmartCard

/// Does the PC/SC service list every reader that its drivers support?
enum ReaderListedCheck: DoctorCheck {
    static let name = "reader_listed"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard machine.service.readers != nil else { return [] }
        let supported = Set(machine.cardDrivers.flatMap { $0.entries.map(\.identifier) })
        let names = machine.namesInService
        return machine.usbDevices.filter { supported.contains($0.identifier) }.compactMap { device in
            if let name = names[device.port] { return fine("\(device.title) is “\(name)”") }
            // In these cases, which have their own findings, the service cannot list it.
            if KernelModuleCheck.driver(of: device) != nil || FirmwareCheck.isTooOld(device) { return nil }
            if let holder = machine.holder(of: device), case .programs = holder {
                let claim = machine.claim(of: device, by: holder)
                return holder.isSeenToBeOther
                    ? problem(
                        "\(claim), so pcscd cannot use it",
                        remedy: "Close that program, or wait until it is done; then plug the reader back in")
                    : problem("\(claim), but pcscd does not list it", remedy: remedy(device, machine))
            }
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
        let log = machine.hasSystemd ? "journalctl -u pcscd" : "pcscd's log"
        // pcscd can hang when a reader is unplugged while a card works, and then sees none until it is started again.
        return "\(reason); if that does not help: \(machine.serviceRestart) (\(log) shows why)"
    }
}
