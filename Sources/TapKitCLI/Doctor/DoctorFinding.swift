/// What one check of `tapkit doctor` found.
struct DoctorFinding: Sendable, Equatable {
    /// How much it matters.
    enum Weight: Sendable {
        /// As it should be.
        case fine
        /// Nothing is wrong now, but it may be later, or with another reader.
        case note
        /// It stands between a person and the card.
        case problem
    }

    /// The check's name, lower snake case.
    let check: String
    let weight: Weight
    /// What was seen, and where.
    let evidence: String
    /// What to do about it; `nil` where nothing is to be done.
    let remedy: String?

    /// Whether nothing is wrong.
    var isFine: Bool { weight != .problem }

    /// A finding; names of devices in it come from outside, so it is made harmless for a terminal.
    init(_ check: String, _ weight: Weight, _ evidence: String, remedy: String? = nil) {
        self.check = check
        self.weight = weight
        self.evidence = TerminalText.neutralized(evidence)
        self.remedy = remedy.map { TerminalText.neutralized($0) }
    }
}

/// A finding as `--json` shows it.
struct DoctorFindingDocument: Encodable {
    let check: String
    let ok: Bool
    let evidence: String
    let remedy: String?

    init(_ finding: DoctorFinding) {
        check = finding.check
        ok = finding.isFine
        evidence = finding.evidence
        remedy = finding.remedy
    }
}
