/// The fee that a transaction must pay.
public struct FeeDemand: Hashable, Sendable {
    /// The rate to pay; `nil` when the fee is a fixed amount.
    public let rate: FeeRate?
    /// The minimum fee, whatever the size.
    public let floor: Amount
    /// The minimum rate to pay for the size, on top of `floor`.
    public let floorRate: FeeRate?

    private init(rate: FeeRate?, floor: Amount, floorRate: FeeRate?) {
        self.rate = rate
        self.floor = floor
        self.floorRate = floorRate
    }

    /// This much per virtual byte, rounded up for the whole transaction.
    public static func rate(_ rate: FeeRate) -> Self { Self(rate: rate, floor: .zero, floorRate: nil) }

    /// A fixed fee, whatever the size.
    public static func absolute(_ fee: Amount) -> Self { Self(rate: nil, floor: fee, floorRate: nil) }

    /// A rate, but at least the fees of the replaced transactions plus the cost of relaying the new one.
    /// - Parameters:
    ///   - fee: the total fee of all transactions that would be evicted.
    ///   - increment: the rate for relaying.
    ///
    /// Spec: BIP-125, rules 3 and 4.
    public static func replacing(fee: Amount, rate: FeeRate, increment: FeeRate = .relay) -> Self {
        Self(rate: rate, floor: fee, floorRate: increment)
    }

    /// The fee for a weight in weight units; `nil` when it would be above 21 000 000 BTC.
    public func fee(forWeight weight: Int) -> Amount? {
        guard let byRate = (rate.map { $0.fee(forWeight: weight) } ?? .zero),
            let relaying = (floorRate.map { $0.fee(forWeight: weight) } ?? .zero),
            let least = floor.adding(relaying)
        else { return nil }
        return max(byRate, least)
    }

    /// The most that one more virtual byte costs, in satoshis per 1 000 virtual bytes.
    var slope: Int64 {
        max(rate?.satoshisPerKiloVirtualByte ?? 0, floorRate?.satoshisPerKiloVirtualByte ?? 0)
    }
}
