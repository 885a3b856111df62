import ExplainedErrors
import SmartCard

/// What the doctor says: every finding, and whether a card could be used now.
public struct Diagnosis: Sendable {
    /// From cause to effect.
    public let findings: [DoctorFinding]
    /// Whether a reader answers, or a libnfc device could be opened.
    public let isUsable: Bool
    /// Whether the reader must be named, as `nfc`, since no PC/SC reader answers and none was named.
    public let needsNFCNamed: Bool
    /// The error of somebody who needs a card nevertheless: `.noService`, `.noReader`, `.readerBusy`, `.noPermission`,
    /// ….
    public let code: ErrorCode

    /// Lets every check look at a machine, from cause to effect; nothing is changed, and no device opened.
    public init(of machine: Machine, for wanted: WantedReader) {
        var findings: [DoctorFinding] = []
        for check in DoctorChecks.all where !check.backends.isDisjoint(with: wanted.backends) {
            findings += check.findings(on: machine, for: wanted)
        }
        self.findings = findings
        let answers = wanted.allowsPCSC && Self.hasFreeReader(machine, wanted)
        isUsable = answers || !NFCReadiness.usable(on: machine, for: wanted).isEmpty
        needsNFCNamed = isUsable && !answers && !wanted.isNFCOnly
        code = Self.code(machine, wanted)
    }

    /// The doctor's word on a simulated card, which needs no reader.
    /// - Parameters:
    ///   - file: the card's file.
    ///   - access: whether it can be read and written.
    ///   - remedy: what to do when it cannot.
    public init(
        simulatedCard file: String, access: DeviceAccess, remedy: String = "name the file of a simulated card"
    ) {
        let check = "simulated_card"
        isUsable = access == .granted
        needsNFCNamed = false
        code = .noReader
        findings = [
            access.complaint.map {
                DoctorFinding(check, .problem, "\(file): \($0)", remedy: remedy)
            } ?? DoctorFinding(check, .fine, "SIMULATED card \(file)")
        ]
    }

    /// The problems, which matter most.
    public var problems: [DoctorFinding] { findings.filter { !$0.isFine } }

    /// Whether PC/SC names a reader that was asked for and whose card no other program keeps.
    private static func hasFreeReader(_ machine: Machine, _ wanted: WantedReader) -> Bool {
        ReadersCheck.matching(machine.service.readers ?? [], wanted).contains { $0.card != .held }
    }

    private static func code(_ machine: Machine, _ wanted: WantedReader) -> ErrorCode {
        guard wanted.allowsPCSC else { return .noReader }
        switch machine.service {
        case .failed(let error):
            let isKnown = error.isReaderLost || [.readerBusy, .permissionDenied].contains(error.kind)
            return isKnown ? error.code : .noService
        case .silent: return .noService
        case .readers(let readers):
            return ReadersCheck.matching(readers, wanted).isEmpty ? .noReader : .readerBusy
        case .notAsked: return .noReader
        }
    }
}
