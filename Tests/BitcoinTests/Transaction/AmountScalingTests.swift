import Bitcoin
import TestSupport
import Testing

/// Amounts and fee rates are read in time that grows as their text does.
@Suite struct AmountScalingTests {
    private static let pieces = [
        ("digits", "7"), ("zeros", "0"), ("points", "."), ("spaces", " "), ("exponents", "e"), ("letters", "b"),
        ("units", "sat"), ("flags", "\u{1F1E6}\u{1F1F9}"), ("line ends", "\r\n"),
    ]

    @Test(arguments: pieces) func amounts(_ what: String, _ piece: String) throws {
        for (place, start, end) in [
            ("alone", "", ""), ("before a unit", "1", "sat"), ("before bitcoin", "0.1", " BTC"),
            ("behind a point", "1.", "sat"), ("behind a unit", "1sat", ""),
        ] {
            try Scaling.expectLinear("\(what) \(place)", upTo: 1 << 18) { size in
                start + String(repeating: piece, count: size) + end
            } work: { text in
                // Zeros behind the eighth decimal change nothing.
                let isAmount = piece == "0" && end == " BTC"
                #expect(((try? Amount(parsing: text)) != nil) == isAmount, "\(text.prefix(20))…\(end)")
            }
        }
    }

    @Test(arguments: pieces) func bareNumbers(_ what: String, _ piece: String) throws {
        for start in ["", "1", "0."] {
            try Scaling.expectLinear("\(what) behind \(start.debugDescription)", upTo: 1 << 18) { size in
                start + String(repeating: piece, count: size)
            } work: { text in
                let isZero = piece == "0" && start != "1"
                #expect(((try? Amount(decimalBitcoin: text)) == .zero) == isZero)
                #expect((try? FeeRate(parsing: text)) == nil)
            }
        }
    }
}
