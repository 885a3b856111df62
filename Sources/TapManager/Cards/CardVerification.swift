import TapProtocol

/// All proofs that were asked for.
public struct CardVerification: Sendable, Equatable {
    /// In the order in which they were asked for; nothing is asked of a card after a proof has failed.
    public let proofs: [Line]
    /// Which root certified the card; `nil` when its certificates prove nothing.
    public let verdict: CertificateVerdict?

    /// Whether every proof held.
    public var holds: Bool { proofs.allSatisfy(\.holds) }

    /// Whether the card failed nothing but to be made by an accepted factory.
    package var lacksOnlyRoot: Bool {
        verdict != nil && proofs.allSatisfy { $0.holds || $0.name == Proof.certificateChain.rawValue }
    }
}
