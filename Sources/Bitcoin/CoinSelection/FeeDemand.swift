/// What fee a transaction shall pay.
public struct FeeDemand: Hashable, Sendable {
    /// The rate to pay; `nil` when the fee is given as a sum.
    public let rate: FeeRate?
    /// What to pay at least, whatever the size.
    public let floor: Amount
    /// What to pay at least on top of `floor`, for the size.
    public let floorRate: FeeRate?

    private init(rate: FeeRate?, floor: Amount, floorRate: FeeRate?) {
        self.rate = rate
        self.floor = floor
        self.floorRate = floorRate
    }

    /// So much for each virtual byte, rounded up for the whole transaction.
    public static func rate(_ rate: FeeRate) -> Self { Self(rate: rate, floor: .zero, floorRate: nil) }

    /// A sum, whatever the size.
    public static func absolute(_ fee: Amount) -> Self { Self(rate: nil, floor: fee, floorRate: nil) }

    /// A rate, and no less than what the replaced transactions paid plus the new one's own relaying.
    /// - Parameters:
    ///   - fee: what all transactions that would be thrown out paid together.
    ///   - increment: what relaying costs.
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

    /// What one virtual byte more costs at most, in satoshis for 1 000 of them.
    var slope: Int64 {
        max(rate?.satoshisPerKiloVirtualByte ?? 0, floorRate?.satoshisPerKiloVirtualByte ?? 0)
    }
}
