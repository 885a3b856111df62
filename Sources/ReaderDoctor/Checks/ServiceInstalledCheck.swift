import CardReaders
import SmartCard

/// Is the PC/SC service installed?
enum ServiceInstalledCheck: DoctorCheck {
    static let name = "pcscd_installed"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        if machine.hasService { return [fine("/usr/sbin/pcscd")] }
        // A service that answers may be installed elsewhere.
        guard machine.service.readers == nil else { return [] }
        return [problem("/usr/sbin/pcscd is missing", remedy: "sudo apt-get install pcscd libccid")]
    }
}
