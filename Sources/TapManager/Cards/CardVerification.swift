import ExplainedErrors
import TapProtocol

/// All requested proofs.
public struct CardVerification: Sendable, Equatable {
    /// In the order in which they were requested; after a failed proof, the card is not asked anything.
    public let proofs: [Line]
    /// Which root certified the card; `nil` if its certificates are invalid.
    public let verdict: CertificateVerdict?
    /// Whether the card is known to be simulated, by its reader or by its certificates.
    public let isSimulated: Bool

    /// Whether every proof is valid.
    public var holds: Bool { proofs.allSatisfy(\.holds) }

    /// The error code for the failed proofs; `nil` if all are valid. A valid certificate chain from another root is not
    /// a forgery, but the card is not genuine either.
    package var failureCode: ErrorCode? {
        guard !holds else { return nil }
        if lacksOnlyRoot { return .notGenuine }
        return proofs.allSatisfy { $0.holds || $0.name == .tampered } ? .tampered : .badProof
    }

    /// Whether the only failure is that no accepted factory made the card.
    var lacksOnlyRoot: Bool {
        verdict != nil && proofs.allSatisfy { $0.holds || $0.name == .proof(.certificateChain) }
    }
}
