/// A number as written in JSON text.
package struct JSONNumber: Hashable, Sendable {
    /// The text, in JSON's grammar.
    package let text: String

    package init(text: String) { self.text = text }

    /// Its value when written without point and exponent, within 64 bits.
    package var integer: Int64? { Int64(text) }

    /// How a fractional part is treated.
    package enum Remainder {
        /// It is not allowed.
        case none
        /// It is rounded away from zero.
        case roundedUp
    }

    /// The value times 10 to the power of `decimals`, exact, with no floating point: 0.00000001 gives 1 with 8.
    /// - Returns: `nil` when it does not fit into 64 bits, or has a fractional part that is not allowed.
    package func scaled(byPowerOfTen decimals: Int, _ remainder: Remainder = .none) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, text.utf8.count <= 100 else { return nil }
        var shift = decimals
        if parts.count == 2 {
            guard let exponent = Int(parts[1]), (-1_000...1_000).contains(exponent) else { return nil }
            shift += exponent
        }
        var digits = Array(mantissa.utf8)
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            shift -= digits.count - point - 1
            digits.remove(at: point)
        }
        var rest: ArraySlice<UInt8> = []
        if shift < 0 {
            rest = digits.suffix(-shift)
            digits.removeLast(min(-shift, digits.count))
        }
        let hasRest = rest.contains { $0 != UInt8(ascii: "0") }
        if hasRest, remainder == .none { return nil }
        guard var value = Self.value(digits, zeros: max(shift, 0)) else { return nil }
        if hasRest {
            guard value < .max else { return nil }
            value += 1
        }
        return isNegative ? -value : value
    }

    private static func value(_ digits: [UInt8], zeros: Int) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(Int64(digit) - Int64(UInt8(ascii: "0")))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        guard value > 0 else { return 0 }
        for _ in 0..<zeros {
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            value = tenfold
        }
        return value
    }
}
