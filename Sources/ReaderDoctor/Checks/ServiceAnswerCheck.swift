import CardReaders
import SmartCard

/// Does the PC/SC service answer?
enum ServiceAnswerCheck: DoctorCheck {
    static let name = "pcscd_answers"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let restart = machine.serviceRestart
        switch machine.service {
        case .notAsked: return []
        case .readers(let readers): return [fine("It lists \(readers.count.counted("reader"))")]
        case .silent(let seconds):
            return [
                problem(
                    "pcscd accepted the connection, but did not answer for \(seconds) s",
                    remedy: "Unplug the reader, \(restart), and plug the reader back in")
            ]
        case .failed(let error) where error.kind == .permissionDenied: return []
        case .failed(let error):
            // Without the service or its socket nothing can answer; other checks report that.
            guard machine.exists(machine.serviceSocket), error.kind == .noService else {
                return error.kind == .noService ? [] : [problem(error.message, remedy: remedy(error, restart))]
            }
            let isRunning = machine.isRunning("pcscd")
            // It would not start; see `ServicePermissionCheck`.
            guard isRunning || machine.polkitGapOfService == nil else { return [] }
            return [
                problem(
                    "\(machine.serviceSocket) exists, but nothing answers; "
                        + (isRunning ? "pcscd is running" : "pcscd is not running") + ". \(error.message)",
                    remedy: restart)
            ]
        }
    }

    private static func remedy(_ error: ReaderError, _ restart: String) -> String {
        error.remedy.isEmpty ? restart : error.remedy
    }
}
