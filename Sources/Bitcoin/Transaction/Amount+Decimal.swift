extension Amount {
    /// Why a text is not an amount in bitcoin.
    public enum DecimalError: Error, Equatable, Sendable {
        /// No digits.
        case empty
        /// Anything other than digits with at most one point: a sign, an exponent, a comma, a space, ….
        case notDecimal
        /// A part of a satoshi.
        case belowOneSatoshi
        /// More than 21 000 000 BTC.
        case aboveMaximum
    }

    /// Reads an amount in bitcoin from ASCII digits with at most one point: `20.3`, `50`, `.5`, `1.`.
    ///
    /// The value is exact; digits after the eighth decimal are accepted only if they are zeros.
    /// Spec: BIP-21 and BIP-321, "Transfer amount" and `amountparam` of the grammar.
    public init(decimalBitcoin text: some StringProtocol) throws(DecimalError) {
        let reader = DecimalText(decimals: 8, maximum: Self.maximum.satoshis, ignoresZerosBehind: true)
        let satoshis: Int64
        do throws(DecimalText.Fault) { satoshis = try reader.value(of: text) } catch {
            switch error {
            case .empty: throw .empty
            case .notDecimal: throw .notDecimal
            case .tooPrecise: throw .belowOneSatoshi
            case .aboveMaximum: throw .aboveMaximum
            }
        }
        guard let amount = Amount(satoshis: satoshis) else { throw .aboveMaximum }
        self = amount
    }

    /// In bitcoin, with no more decimals than needed and without a unit, as in `0.00012345` or `50`.
    public var decimalBitcoin: String {
        let whole = String(satoshis / 100_000_000)
        let fraction = String(satoshis % 100_000_000)
        let padded = String(repeating: "0", count: 8 - fraction.count) + fraction
        guard let last = padded.lastIndex(where: { $0 != "0" }) else { return whole }
        return whole + "." + padded[...last]
    }
}
