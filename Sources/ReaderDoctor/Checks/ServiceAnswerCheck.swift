import SmartCard

/// Does the PC/SC service answer?
enum ServiceAnswerCheck: DoctorCheck {
    static let name = "pcscd_answers"
    static let backends: Set<WantedReader.Backend> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let restart =
            machine.hasSystemd ? "sudo systemctl restart pcscd.socket pcscd.service" : "sudo /etc/init.d/pcscd restart"
        switch machine.service {
        case .notAsked: return []
        case .readers(let readers): return [fine("it names \(readers.count.counted("reader"))")]
        case .silent(let seconds):
            return [
                problem(
                    "pcscd accepted the connection and said nothing for \(seconds) s",
                    remedy: "unplug the reader, \(restart), and plug the reader in again")
            ]
        case .failed(let error) where error.kind == .permissionDenied: return []
        case .failed(let error):
            // Without the service or its socket there is nobody to answer; that was said before.
            guard machine.exists(machine.serviceSocket), error.kind == .noService else {
                return error.kind == .noService ? [] : [problem(error.message, remedy: remedy(error, restart))]
            }
            let isRunning = machine.isRunning("pcscd")
            return [
                problem(
                    "\(machine.serviceSocket) is there, and nobody answers; "
                        + (isRunning ? "a pcscd runs" : "no pcscd runs") + ". \(error.message)",
                    remedy: restart)
            ]
        }
    }

    private static func remedy(_ error: ReaderError, _ restart: String) -> String {
        error.remedy.isEmpty ? restart : error.remedy
    }
}
