import Bitcoin

extension FeeRate {
    private static let highestEstimate: Int64 = 10_000_000
    private static let highestMinimum: Int64 = 1_000_000

    /// The targets that servers have estimates for.
    static let targets = 1...1008

    /// A server's estimate: at least 1 sat/vB; `nil` for zero or less, which means no estimate.
    static func estimate(_ rate: Int64) throws(ChainError) -> FeeRate? {
        guard rate <= highestEstimate else { throw .liar("a fee estimate above 10000 sat/vB") }
        return rate > 0 ? FeeRate(satoshisPerKiloVirtualByte: max(rate, 1_000)) : nil
    }

    /// The lowest rate that a server relays.
    static func minimum(_ rate: Int64) throws(ChainError) -> FeeRate {
        guard rate <= highestMinimum else { throw .liar("a minimum fee rate above 1000 sat/vB") }
        guard rate >= 0, let rate = FeeRate(satoshisPerKiloVirtualByte: max(rate, 1)) else {
            throw .malformed("the minimum fee rate is negative")
        }
        return rate
    }
}
