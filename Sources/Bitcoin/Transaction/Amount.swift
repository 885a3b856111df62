/// A sum of money in satoshis, between 0 and 21 000 000 BTC.
public struct Amount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The largest possible amount: 21 000 000 BTC.
    public static let maximum = Amount(unchecked: 2_100_000_000_000_000)
    /// Zero satoshis.
    public static let zero = Amount(unchecked: 0)

    /// The number of satoshis, 0…2 100 000 000 000 000.
    public let satoshis: Int64

    /// An amount; `nil` when negative or above 21 000 000 BTC.
    public init?(satoshis: some BinaryInteger) {
        guard let value = Int64(exactly: satoshis), (0...Self.maximum.satoshis).contains(value) else { return nil }
        self.satoshis = value
    }

    private init(unchecked satoshis: Int64) { self.satoshis = satoshis }

    /// The sum; `nil` when it is above 21 000 000 BTC.
    public func adding(_ other: Amount) -> Amount? { Amount(satoshis: satoshis + other.satoshis) }

    /// The difference; `nil` when `other` is larger.
    public func subtracting(_ other: Amount) -> Amount? { Amount(satoshis: satoshis - other.satoshis) }

    /// The sum of many amounts; `nil` when it is above 21 000 000 BTC.
    public static func sum(_ amounts: some Sequence<Amount>) -> Amount? {
        var sum = Amount.zero
        for amount in amounts {
            guard let next = sum.adding(amount) else { return nil }
            sum = next
        }
        return sum
    }

    /// Whether the left amount is smaller.
    public static func < (left: Amount, right: Amount) -> Bool { left.satoshis < right.satoshis }

    /// In bitcoin, with all eight decimals, as in `0.00012345 BTC`.
    public var description: String {
        let fraction = String(satoshis % 100_000_000)
        return "\(satoshis / 100_000_000)." + String(repeating: "0", count: 8 - fraction.count) + fraction + " BTC"
    }
}
