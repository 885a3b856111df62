extension FeeRate: CustomStringConvertible {
    /// Why a text is not a fee rate.
    public enum ParsingError: Error, Equatable, Sendable {
        /// No digits.
        case empty
        /// Anything other than digits with at most one point: a sign, an exponent, a comma, a unit, ….
        case notDecimal
        /// More than three decimals.
        case tooPrecise
        /// Zero: no node relays such a transaction.
        case zero
        /// More than 100 000 sat/vB.
        case aboveMaximum
    }

    /// Reads satoshis per virtual byte from ASCII digits with at most one point: `1`, `2.5`, `0.1`.
    ///
    /// The value is exact, so there are at most three decimals.
    public init(parsing text: some StringProtocol) throws(ParsingError) {
        let reader = DecimalText(
            decimals: 3, maximum: Self.maximum.satoshisPerKiloVirtualByte, ignoresZerosBehind: false)
        let rate: Int64
        do throws(DecimalText.Fault) { rate = try reader.value(of: text) } catch {
            switch error {
            case .empty: throw .empty
            case .notDecimal: throw .notDecimal
            case .tooPrecise: throw .tooPrecise
            case .aboveMaximum: throw .aboveMaximum
            }
        }
        guard rate > 0 else { throw .zero }
        guard let value = FeeRate(satoshisPerKiloVirtualByte: rate) else { throw .aboveMaximum }
        self = value
    }

    /// Satoshis per virtual byte with no more decimals than needed and without a unit, as in `2.5` or `12`.
    public var satoshisPerVirtualByteText: String {
        let whole = String(satoshisPerKiloVirtualByte / 1_000)
        let fraction = String(satoshisPerKiloVirtualByte % 1_000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        guard let last = padded.lastIndex(where: { $0 != "0" }) else { return whole }
        return whole + "." + padded[...last]
    }

    /// With the unit, as in `2.5 sat/vB`.
    public var description: String { satoshisPerVirtualByteText + " sat/vB" }
}

extension FeeRate.ParsingError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .empty: "a fee rate is missing: write satoshis per virtual byte, as in 2.5"
        case .notDecimal: "a fee rate must be a plain decimal number of satoshis per virtual byte, as in 2.5"
        case .tooPrecise: "a fee rate can have at most three decimals"
        case .zero: "nodes do not relay transactions with a fee rate of zero"
        case .aboveMaximum: "the fee rate is above \(FeeRate.maximum)"
        }
    }
}
