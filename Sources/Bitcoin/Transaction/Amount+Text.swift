import ByteCodec

extension Amount {
    /// Why a text is not an amount with a unit.
    public enum TextError: Error, Equatable, Sendable {
        /// An empty text.
        case empty
        /// A bare number: it could be satoshis or bitcoin.
        case unitMissing
        /// Anything other than `sat`, `sats` or `btc` after the number.
        case unknownUnit
        /// A unit without a number, or a number that is not digits with at most one point.
        case number(DecimalError)
    }

    /// Reads an amount as people write it, with a unit: `5000sat`, `5000 sats`, `0.001btc`, `0.001 BTC`.
    ///
    /// The unit is required, in upper or lower case, with at most one space before it. The number has only digits
    /// and, in bitcoin, one point: no sign, exponent, comma or grouping. The value is exact.
    public init(parsing text: some StringProtocol) throws(TextError) {
        guard !text.hasEndlessLetter else { throw .number(.notDecimal) }
        let numerals = text.utf8.prefix { !$0.isUnitStart }
        guard let start = numerals.endIndex == text.utf8.endIndex ? nil : numerals.endIndex else {
            throw text.isEmpty ? .empty : Self.fault(ofBareNumber: String(text))
        }
        var number = text[..<start]
        if number.hasSuffix(" ") { number = number.dropLast() }
        let isBitcoin: Bool
        switch text[start...].lowercased() {
        case "btc": isBitcoin = true
        case "sat", "sats": isBitcoin = false
        default: throw .unknownUnit
        }
        guard isBitcoin else {
            self = try Self.satoshis(number)
            return
        }
        do throws(DecimalError) { self = try Amount(decimalBitcoin: number) } catch { throw .number(error) }
    }

    private static func satoshis(_ text: some StringProtocol) throws(TextError) -> Amount {
        guard !text.isEmpty else { throw .number(.empty) }
        if text.contains("."), (try? Amount(decimalBitcoin: text)) != nil { throw .number(.belowOneSatoshi) }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .number(.notDecimal)
        }
        guard let value = Int64(text), let amount = Amount(satoshis: value) else { throw .number(.aboveMaximum) }
        return amount
    }

    private static func fault(ofBareNumber text: String) -> TextError {
        do throws(DecimalError) { _ = try Amount(decimalBitcoin: text) } catch {
            if error == .notDecimal || error == .empty { return .number(error) }
        }
        return .unitMissing
    }
}

extension UInt8 {
    /// Whether a unit could start here: an ASCII letter, except the `e` of an exponent, or a non-ASCII character.
    fileprivate var isUnitStart: Bool {
        let lower = self | 0x20
        return self >= 0x80 || ((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) && lower != UInt8(ascii: "e"))
    }
}

extension Amount.TextError: CustomStringConvertible {
    /// What is wrong, for people.
    public var description: String {
        switch self {
        case .empty: "an amount is missing: write for example 5000sat or 0.001btc"
        case .unitMissing: "an amount needs a unit, sat or btc, as in 5000sat or 0.001btc"
        case .unknownUnit: "the unit of an amount must be sat or btc, as in 5000sat or 0.001btc"
        case .number(.empty): "there is no number before the unit"
        case .number(.notDecimal):
            "an amount is digits with at most one decimal point: no sign, comma, exponent or grouping"
        case .number(.belowOneSatoshi): "the amount is more precise than one satoshi, which cannot be divided"
        case .number(.aboveMaximum): "the amount is above 21 million BTC"
        }
    }
}
