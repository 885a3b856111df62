/// What `tapkit doctor` says: every finding, and whether a card could be used now.
struct Diagnosis: Sendable {
    /// From cause to effect.
    let findings: [DoctorFinding]
    /// Whether a reader answers, or a libnfc device could be opened.
    let isUsable: Bool
    /// What to call it when it is not.
    let code: ErrorCode

    /// Lets every check look at a machine.
    init(of machine: Machine, for wanted: WantedReader) {
        var findings: [DoctorFinding] = []
        for check in DoctorChecks.all where !check.backends.isDisjoint(with: wanted.backends) {
            findings += check.findings(on: machine, for: wanted)
        }
        self.findings = findings
        isUsable = Self.isUsable(machine, wanted)
        code = Self.code(machine, wanted)
    }

    /// The doctor's word on a simulated card, which needs no reader.
    init(simulatedCard file: String, access: DeviceAccess) {
        let check = "simulated_card"
        isUsable = access == .granted
        code = .noReader
        findings = [
            access.complaint.map {
                DoctorFinding(check, .problem, "\(file): \($0)", remedy: "name a file that tapkit sim new made")
            } ?? DoctorFinding(check, .fine, "SIMULATED card \(file)")
        ]
    }

    /// The problems, which matter most.
    var problems: [DoctorFinding] { findings.filter { !$0.isFine } }

    private static func isUsable(_ machine: Machine, _ wanted: WantedReader) -> Bool {
        if wanted.allowsPCSC, let readers = machine.service.readers,
            ReadersCheck.matching(readers, wanted).contains(where: { $0.card != .held })
        {
            return true
        }
        return wanted.backends.contains(.nfc) && !NFCReadiness.usable(on: machine, for: wanted).isEmpty
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
