/// What `tapkit doctor` says: every finding, and whether a card could be used now.
struct Diagnosis: Sendable {
    /// From cause to effect.
    let findings: [DoctorFinding]
    /// Whether a reader answers, or a libnfc device could be opened.
    let isUsable: Bool
    /// Whether that takes `--reader nfc`, since no PC/SC reader answers and none was named.
    let needsNFCOption: Bool
    /// What to call it when it is not.
    let code: ErrorCode

    /// Lets every check look at a machine.
    init(of machine: Machine, for wanted: WantedReader) {
        var findings: [DoctorFinding] = []
        for check in DoctorChecks.all where !check.backends.isDisjoint(with: wanted.backends) {
            findings += check.findings(on: machine, for: wanted)
        }
        self.findings = findings
        let answers = wanted.allowsPCSC && Self.hasFreeReader(machine, wanted)
        isUsable = answers || !NFCReadiness.usable(on: machine, for: wanted).isEmpty
        needsNFCOption = isUsable && !answers && !wanted.isNFCOnly
        code = Self.code(machine, wanted)
    }

    /// The doctor's word on a simulated card, which needs no reader.
    init(simulatedCard file: String, access: DeviceAccess) {
        let check = "simulated_card"
        isUsable = access == .granted
        needsNFCOption = false
        code = .noReader
        findings = [
            access.complaint.map {
                DoctorFinding(check, .problem, "\(file): \($0)", remedy: "name a file that tapkit sim new made")
            } ?? DoctorFinding(check, .fine, "SIMULATED card \(file)")
        ]
    }

    /// The problems, which matter most.
    var problems: [DoctorFinding] { findings.filter { !$0.isFine } }

    /// Whether PC/SC names a reader that was asked for and whose card no other program keeps.
    private static func hasFreeReader(_ machine: Machine, _ wanted: WantedReader) -> Bool {
        ReadersCheck.matching(machine.service.readers ?? [], wanted).contains { $0.card != .held }
    }

    private static func code(_ machine: Machine, _ wanted: WantedReader) -> ErrorCode {
        guard wanted.allowsPCSC else { return .noReader }
        switch machine.service {
        case .failed(let error):
            let code = ErrorCode(rawValue: error.code.rawValue) ?? .noService
            return code.exitStatus == .unavailable ? code : .noService
        case .silent: return .noService
        case .readers(let readers):
            return ReadersCheck.matching(readers, wanted).isEmpty ? .noReader : .readerBusy
        case .notAsked: return .noReader
        }
    }
}
