import ExplainedErrors
import TapProtocol

/// All proofs that were asked for.
public struct CardVerification: Sendable, Equatable {
    /// In the order in which they were asked for; nothing is asked of a card after a proof has failed.
    public let proofs: [Line]
    /// Which root certified the card; `nil` when its certificates prove nothing.
    public let verdict: CertificateVerdict?
    /// Whether the card is known to be simulated, by its reader or by its certificates.
    public let isSimulated: Bool

    /// Whether every proof held.
    public var holds: Bool { proofs.allSatisfy(\.holds) }

    /// What the proofs that failed come to; `nil` when all hold. A chain that is sound and leads to another root is no
    /// forgery, but no genuine card either.
    package var failureCode: ErrorCode? {
        guard !holds else { return nil }
        if lacksOnlyRoot { return .notGenuine }
        return proofs.allSatisfy { $0.holds || $0.name == "tampered" } ? .tampered : .badProof
    }

    /// Whether the card failed nothing but to be made by an accepted factory.
    var lacksOnlyRoot: Bool {
        verdict != nil && proofs.allSatisfy { $0.holds || $0.name == Proof.certificateChain.rawValue }
    }
}
