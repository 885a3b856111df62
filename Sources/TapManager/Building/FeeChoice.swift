import Bitcoin

/// What is paid for a transaction's size.
public enum FeeChoice: Sendable, Equatable {
    /// This rate, whatever a server says.
    case rate(FeeRate)
    /// The rate at which a chain server expects the transaction in one of so many blocks.
    case target(blocks: Int)

    /// About an hour.
    public static let usual = FeeChoice.target(blocks: 6)
    /// The targets that chain servers have estimates for, in blocks.
    package static let targets = 1...1_008
    /// A rate above this must come from the person. Spec: threats, "The chain server", "Fees: bounded".
    static let mostBelieved = FeeRate(satoshisPerKiloVirtualByte: 500_000) ?? .relay

    /// What is paid where a server has this estimate, and passes nothing on below its minimum.
    /// - Throws: `FeeError`: `.noEstimate`, `.unbelievable`.
    static func rate(estimate: FeeRate?, minimum: FeeRate) throws(FeeError) -> FeeRate {
        guard let estimate else { throw .noEstimate }
        let rate = max(estimate, minimum)
        guard rate <= mostBelieved else { throw .unbelievable(rate) }
        return rate
    }
}
