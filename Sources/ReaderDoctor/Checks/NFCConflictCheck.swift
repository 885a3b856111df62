import CardReaders
import SmartCard

/// Is a reader that libnfc could drive in use by the PC/SC service, or by another program?
enum NFCConflictCheck: DoctorCheck {
    static let name = "nfc_and_pcscd"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let isNamed = wanted.nfcDevices(on: machine).contains { $0.connstring.isOnUSB }
        return wanted.usbDevices(on: machine).compactMap { device in
            guard let use = Use(of: device, on: machine) else { return nil }
            let evidence =
                "\(use.evidence), and libnfc \(isNamed ? "is configured for" : "finds") it too; only one of them can use it"
            let otherWay =
                device.model?.kind == .module ? "" : "Use it with \(wanted.naming("pcsc")); or, for libnfc: "
            let remedy =
                use.isService
                ? otherWay + "sudo systemctl stop pcscd.socket pcscd.service, then plug the reader back in"
                : "Close that program, or wait until it is done"
            return isNamed || wanted.isNFCOnly ? problem(evidence, remedy: remedy) : note(evidence, remedy: remedy)
        }
    }

    /// Which program is using a reader. That the service runs is not enough: it may not have this reader.
    struct Use {
        let evidence: String
        /// Whether it is the PC/SC service, as far as this user can see.
        let isService: Bool

        /// `nil` if no program has it.
        init?(of device: USBDevice, on machine: Machine) {
            if machine.namesInService[device.port] != nil {
                evidence = "pcscd is using \(device.title)"
                isService = true
            } else if let holder = machine.holder(of: device), case .programs = holder {
                evidence = machine.claim(of: device, by: holder)
                isService = machine.isProbablyService(holder, of: device)
            } else {
                return nil
            }
        }
    }
}
