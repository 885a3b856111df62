import CardReaders
import ExplainedErrors
import SmartCard

/// The doctor's result: every finding, and whether a card could be used now.
public struct Diagnosis: Sendable {
    /// From cause to effect.
    public let findings: [DoctorFinding]
    /// Whether a reader answers, or a libnfc device could be opened.
    public let isUsable: Bool
    /// The kind that must be named to use a reader, because no PC/SC reader answers and none was named; `nil`: none.
    public let kindToName: ReaderKind?
    /// The error if a card is needed nevertheless: `.noService`, `.noReader`, `.readerBusy`, `.noPermission`, ….
    public let code: ErrorCode

    /// Runs every check on a machine, from cause to effect. Changes nothing and opens no device.
    public init(of machine: Machine, for wanted: WantedReader) {
        let checks = DoctorChecks.all.filter { $0.concerns(wanted) }
        findings = checks.flatMap { $0.findings(on: machine, for: wanted) }
        let usable = checks.flatMap { $0.usableKinds(on: machine, for: wanted) }
        isUsable = !usable.isEmpty
        kindToName = wanted.isOpen && !usable.contains(.pcsc) ? usable.first : nil
        code = Self.code(machine, wanted)
    }

    /// Only the problems.
    public var problems: [DoctorFinding] { findings.filter { !$0.isFine } }

    private static func code(_ machine: Machine, _ wanted: WantedReader) -> ErrorCode {
        guard wanted.allowsPCSC else {
            let isBusy = NFCReadiness.areAllTaken(on: machine, for: wanted)
            return BackendAnswerCheck.code(machine, wanted) ?? (isBusy ? .readerBusy : .noReader)
        }
        switch machine.service {
        case .failed(let error):
            let isKnown = error.isReaderLost || [.readerBusy, .permissionDenied].contains(error.kind)
            return isKnown ? error.code : .noService
        case .silent: return .noService
        case .readers: return ReadersCheck.matchingForCards(machine, wanted).isEmpty ? .noReader : .readerBusy
        case .notAsked: return .noReader
        }
    }
}
