import Bitcoin

/// How to choose the fee rate of a transaction.
public enum FeeChoice: Sendable, Equatable {
    /// This rate, whatever a server reports.
    case rate(FeeRate)
    /// The rate at which a chain server expects confirmation within this many blocks.
    case target(blocks: Int)

    /// Confirmation within 6 blocks, about an hour.
    public static let usual = FeeChoice.target(blocks: 6)
    /// The targets that chain servers have estimates for, in blocks.
    package static let targets = 1...1_008
    /// A rate above this must come from the user. Spec: threats, "The chain server", "Fees: bounded".
    static let mostBelieved = FeeRate(satoshisPerKiloVirtualByte: 500_000) ?? .relay

    /// The rate to use for a server's estimate and its minimum for relaying.
    /// - Throws: `FeeError`: `.noEstimate`, `.unbelievable`.
    static func rate(estimate: FeeRate?, minimum: FeeRate) throws(FeeError) -> FeeRate {
        guard let estimate else { throw .noEstimate }
        let rate = max(estimate, minimum)
        guard rate <= mostBelieved else { throw .unbelievable(rate) }
        return rate
    }
}
