extension FeeRate: CustomStringConvertible {
    /// Why a text is no fee rate.
    public enum ParsingError: Error, Equatable, Sendable {
        /// No digit at all.
        case empty
        /// Something else than digits around at most one point: a sign, an exponent, a comma, a unit, ….
        case notDecimal
        /// More than three decimals.
        case tooPrecise
        /// Zero: nobody relays such a transaction.
        case zero
        /// More than 100 000 sat/vB.
        case aboveMaximum
    }

    /// Reads satoshis per virtual byte from ASCII digits around at most one point: `1`, `2.5`, `0.1`.
    ///
    /// The value is exact, so there are at most three decimals.
    public init(parsing text: some StringProtocol) throws(ParsingError) {
        let zero = UInt8(ascii: "0")
        var rate: Int64 = 0
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
                guard count < 3 else { throw .tooPrecise }
                decimals = count + 1
            }
            rate = rate * 10 + Int64(byte - zero)
            // Never far above, so the product cannot overflow.
            guard rate <= Self.maximum.satoshisPerKiloVirtualByte else { throw .aboveMaximum }
        }
        guard hasDigits else { throw .empty }
        for _ in (decimals ?? 0)..<3 { rate *= 10 }
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
        case .empty: "a fee rate is missing: say satoshis per virtual byte, as in 2.5"
        case .notDecimal: "a fee rate is a plain decimal number of satoshis per virtual byte, as in 2.5"
        case .tooPrecise: "a fee rate has at most three decimals"
        case .zero: "a fee rate of zero is relayed by nobody"
        case .aboveMaximum: "the fee rate is above \(FeeRate.maximum)"
        }
    }
}
