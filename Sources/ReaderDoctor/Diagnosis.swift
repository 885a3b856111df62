import ExplainedErrors
import SmartCard

/// The doctor's result: every finding, and whether a card could be used now.
public struct Diagnosis: Sendable {
    /// From cause to effect.
    public let findings: [DoctorFinding]
    /// Whether a reader answers, or a libnfc device could be opened.
    public let isUsable: Bool
    /// Whether the reader must be selected as `nfc`, because no PC/SC reader answers and none was named.
    public let needsNFCNamed: Bool
    /// The error if a card is needed nevertheless: `.noService`, `.noReader`, `.readerBusy`, `.noPermission`, ….
    public let code: ErrorCode

    /// Runs every check on a machine, from cause to effect. Changes nothing and opens no device.
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

    /// The result for a simulated card, which needs no reader.
    /// - Parameters:
    ///   - file: the card's file.
    ///   - access: whether it can be read and written.
    ///   - damage: why it contains no card; `nil`: it contains one.
    ///   - remedy: what to do if it cannot be used.
    public init(
        simulatedCard file: String, access: DeviceAccess, damage: String? = nil,
        remedy: String = "give the file of a simulated card"
    ) {
        let check = "simulated_card"
        let complaint = access.complaint ?? damage
        isUsable = complaint == nil
        needsNFCNamed = false
        code = .noReader
        findings = [
            complaint.map {
                DoctorFinding(check, .problem, "\(file): \($0)", remedy: remedy)
            } ?? DoctorFinding(check, .fine, "SIMULATED card \(file)")
        ]
    }

    /// Only the problems.
    public var problems: [DoctorFinding] { findings.filter { !$0.isFine } }

    /// Whether PC/SC lists a requested reader whose card no other program uses exclusively.
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
