/// ASCII digits with at most one point, read as a whole number of the smallest unit.
struct DecimalText {
    /// Why a text is not such a number.
    enum Fault: Error, Equatable {
        /// No digits.
        case empty
        /// Anything other than digits with at most one point.
        case notDecimal
        /// More decimals than the unit has.
        case tooPrecise
        /// More than the maximum.
        case aboveMaximum
    }

    /// How many decimals the unit has.
    let decimals: Int
    /// The maximum, at most 10¹⁷.
    let maximum: Int64
    /// Whether zeros are allowed after the last decimal.
    let ignoresZerosBehind: Bool

    /// The exact number that a text represents.
    func value(of text: some StringProtocol) throws(Fault) -> Int64 {
        let zero = UInt8(ascii: "0")
        var value: Int64 = 0
        var read: Int?
        var hasDigits = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), read == nil {
                read = 0
                continue
            }
            guard (zero...UInt8(ascii: "9")).contains(byte) else { throw .notDecimal }
            hasDigits = true
            if let count = read {
                read = count + 1
                if count >= decimals {
                    guard ignoresZerosBehind, byte == zero else { throw .tooPrecise }
                    continue
                }
            }
            value = value * 10 + Int64(byte - zero)
            // Never far above the maximum, so the product cannot overflow.
            guard value <= maximum else { throw .aboveMaximum }
        }
        guard hasDigits else { throw .empty }
        for _ in min(read ?? 0, decimals)..<decimals {
            value *= 10
            guard value <= maximum else { throw .aboveMaximum }
        }
        return value
    }
}
