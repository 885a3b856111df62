import ExplainedErrors
import TapProtocol

/// All requested proofs.
public struct CardVerification: Sendable, Equatable {
    /// In the order in which they were requested; after a failed proof, the card is not asked anything.
    public let proofs: [Line]
    /// Which root certified the card; `nil` if its certificates are invalid.
    public let verdict: CertificateVerdict?
    /// Whether the card is known to be simulated, by its reader or by its certificates.
    package let isSimulated: Bool
    /// The error that ended the proofs; `nil` if none did. Its proof is also in `proofs`, as failed.
    var refusal: FlowError?

    /// Whether every proof is valid.
    public var holds: Bool { proofs.allSatisfy(\.holds) }

    /// The error code for the failed proofs; `nil` if all are valid. A valid certificate chain from another root is not
    /// a forgery, but the card is not genuine either.
    package var failureCode: ErrorCode? {
        guard !holds else { return nil }
        if let refusal { return refusal.code }
        if lacksOnlyRoot { return .notGenuine }
        return proofs.allSatisfy { $0.holds || $0.name == .tampered } ? .tampered : .badProof
    }

    /// Why the card failed, as one error; `nil` if every proof is valid.
    package var failure: FailedProofs? { FailedProofs(self) }

    /// Whether the only failure is that no accepted factory made the card.
    var lacksOnlyRoot: Bool {
        verdict != nil && proofs.allSatisfy { $0.holds || $0.name == .proof(.certificateChain) }
    }
}
