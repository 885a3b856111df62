import ExplainedErrors

/// A fee per virtual byte of a transaction, kept in satoshis per 1 000 virtual bytes.
///
/// Spec: BIP-141, "Transaction size calculations", for virtual bytes; Bitcoin Core, `CFeeRate`.
public struct FeeRate: Hashable, Comparable, Sendable, ErrorSubjectValue {
    /// The largest possible rate: 100 000 sat/vB, at which one input costs more than a hundredth of a bitcoin.
    public static let maximum = FeeRate(unchecked: 100_000_000)
    /// The minimum that nodes require, and that a replacement must add for its own size: 1 sat/vB.
    ///
    /// Spec: BIP-125, rule 4; Bitcoin Core, `-incrementalrelayfee` and `-minrelaytxfee` up to version 28.
    public static let relay = FeeRate(unchecked: 1_000)
    /// The rate expected for later spending when nothing else is known: 10 sat/vB.
    ///
    /// Spec: Bitcoin Core, `-consolidatefeerate`.
    public static let usualLongTerm = FeeRate(unchecked: 10_000)

    /// Satoshis per 1 000 virtual bytes, 1…100 000 000.
    public let satoshisPerKiloVirtualByte: Int64

    /// A rate; `nil` when zero, negative, or above 100 000 sat/vB.
    public init?(satoshisPerKiloVirtualByte rate: some BinaryInteger) {
        guard let rate = Int64(exactly: rate), (1...Self.maximum.satoshisPerKiloVirtualByte).contains(rate) else {
            return nil
        }
        satoshisPerKiloVirtualByte = rate
    }

    private init(unchecked rate: Int64) { satoshisPerKiloVirtualByte = rate }

    /// What a transaction pays for its size, rounded up.
    /// - Parameter size: in virtual bytes, not negative.
    /// - Returns: `nil` when the size is negative, or the fee above 21 000 000 BTC.
    public func fee(forVirtualSize size: Int) -> Amount? {
        let (product, isOverflow) = satoshisPerKiloVirtualByte.multipliedReportingOverflow(by: Int64(size))
        guard size >= 0, !isOverflow else { return nil }
        return Amount(satoshis: product / 1_000 + (product % 1_000 == 0 ? 0 : 1))
    }

    /// What a transaction pays for its weight: the fee for its virtual bytes, rounded up to a whole one.
    /// - Parameter weight: in weight units, not negative.
    /// - Returns: `nil` when the weight is negative, or the fee above 21 000 000 BTC.
    public func fee(forWeight weight: Int) -> Amount? {
        weight < 0 ? nil : fee(forVirtualSize: weight / 4 + (weight % 4 == 0 ? 0 : 1))
    }

    /// The rate of `fee` for a size, rounded down; `nil` when the size is 0, or the rate is below a thousandth of a satoshi per
    /// virtual byte or above the maximum.
    public init?(fee: Amount, virtualSize: Int) {
        let (product, isOverflow) = fee.satoshis.multipliedReportingOverflow(by: 1_000)
        guard virtualSize > 0, !isOverflow else { return nil }
        self.init(satoshisPerKiloVirtualByte: product / Int64(virtualSize))
    }

    /// Whether the left rate is lower.
    public static func < (left: FeeRate, right: FeeRate) -> Bool {
        left.satoshisPerKiloVirtualByte < right.satoshisPerKiloVirtualByte
    }
}
