extension Amount {
    /// Why a text is no amount in bitcoin.
    public enum DecimalError: Error, Equatable, Sendable {
        /// No digit at all.
        case empty
        /// Something else than digits around at most one point: a sign, an exponent, a comma, a space, ….
        case notDecimal
        /// A part of a satoshi.
        case belowOneSatoshi
        /// More than 21 000 000 BTC.
        case aboveMaximum
    }

    /// Reads an amount in bitcoin from ASCII digits around at most one point: `20.3`, `50`, `.5`, `1.`.
    ///
    /// The value is exact; digits beyond the eighth decimal are taken only when they are zeros.
    /// Spec: BIP-21 and BIP-321, "Transfer amount" and `amountparam` of the grammar.
    public init(decimalBitcoin text: some StringProtocol) throws(DecimalError) {
        let zero = UInt8(ascii: "0")
        var satoshis: Int64 = 0
        var decimals: Int?
        var hasDigits = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
                continue
            }
            guard (zero...UInt8(ascii: "9")).contains(byte) else { throw .notDecimal }
            hasDigits = true
            if let count = decimals {
                decimals = count + 1
                if count >= 8 {
                    guard byte == zero else { throw .belowOneSatoshi }
                    continue
                }
            }
            satoshis = satoshis * 10 + Int64(byte - zero)
            // Never far above, so the product cannot overflow.
            guard satoshis <= Self.maximum.satoshis else { throw .aboveMaximum }
        }
        guard hasDigits else { throw .empty }
        for _ in min(decimals ?? 0, 8)..<8 {
            satoshis *= 10
            guard satoshis <= Self.maximum.satoshis else { throw .aboveMaximum }
        }
        guard let amount = Amount(satoshis: satoshis) else { throw .aboveMaximum }
        self = amount
    }

    /// In bitcoin with no more decimals than needed and without a unit, as in `0.00012345` or `50`.
    public var decimalBitcoin: String {
        let whole = String(satoshis / 100_000_000)
        let fraction = String(satoshis % 100_000_000)
        let padded = String(repeating: "0", count: 8 - fraction.count) + fraction
        guard let last = padded.lastIndex(where: { $0 != "0" }) else { return whole }
        return whole + "." + padded[...last]
    }
}
