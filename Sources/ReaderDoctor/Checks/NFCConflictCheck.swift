import CardReaders
import SmartCard

/// Are libnfc and the PC/SC service competing for the same reader?
enum NFCConflictCheck: DoctorCheck {
    static let name = "nfc_and_pcscd"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard wanted.scansUSB(on: machine), isServiceUp(machine) else { return [] }
        let isNamed = wanted.nfcDevices(on: machine).contains { $0.connstring.isOnUSB }
        return machine.usbDevices.filter { $0.model?.kind == .both }.map { device in
            let evidence =
                "pcscd is using \(device.title), and libnfc \(isNamed ? "is configured for" : "finds") it too; only one of them can use it"
            let remedy =
                "Use it with \(wanted.naming("pcsc")); or, for libnfc: sudo systemctl stop pcscd.socket pcscd.service, "
                + "then plug the reader back in"
            return isNamed || wanted.isNFCOnly ? problem(evidence, remedy: remedy) : note(evidence, remedy: remedy)
        }
    }

    /// Whether the service is using the readers now.
    static func isServiceUp(_ machine: Machine) -> Bool {
        machine.service.readers != nil || machine.isRunning("pcscd")
    }
}
