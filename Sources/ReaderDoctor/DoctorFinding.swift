/// What one of the doctor's checks found.
///
/// Its texts quote outside names (devices, files, the service's messages): a terminal must sanitize them.
public struct DoctorFinding: Sendable, Equatable {
    /// How much it matters.
    public enum Weight: Sendable {
        /// As it should be.
        case fine
        /// Nothing is wrong now, but it may be later, or with another reader.
        case note
        /// It keeps the card from being used.
        case problem
    }

    /// The check's name, lower snake case.
    public let check: String
    /// How much it matters.
    public let weight: Weight
    /// What was seen, and where.
    public let evidence: String
    /// What to do about it; `nil` if nothing needs to be done.
    public let remedy: String?

    /// Whether nothing is wrong.
    public var isFine: Bool { weight != .problem }

    init(_ check: String, _ weight: Weight, _ evidence: String, remedy: String? = nil) {
        self.check = check
        self.weight = weight
        self.evidence = evidence
        self.remedy = remedy
    }
}
