import Bitcoin
import TestSupport
import Testing

@Suite struct AmountDecimalTests {
    @Test(arguments: [
        ("0", 0), ("00", 0), (".0", 0), ("0.", 0), ("0.00000001", 1), (".5", 50_000_000), ("1.", 100_000_000),
        ("20.3", 2_030_000_000), ("00000000000000000000000000001", 100_000_000),
        ("0.100000000000000000000000000", 10_000_000), ("21000000", 2_100_000_000_000_000),
        ("21000000.00000000", 2_100_000_000_000_000), ("20999999.99999999", 2_099_999_999_999_999),
        // Numbers that a double cannot hold.
        ("0.07", 7_000_000), ("1.1", 110_000_000), ("12345678.90123457", 1_234_567_890_123_457),
    ])
    func decimalsAreExact(_ text: String, _ satoshis: Int64) throws {
        #expect(try Amount(decimalBitcoin: text).satoshis == satoshis)
    }

    @Test(arguments: [
        ("", Amount.DecimalError.empty), (".", .empty), ("1.2.3", .notDecimal), ("..", .notDecimal),
        ("-1", .notDecimal),
        ("+1", .notDecimal), ("1e3", .notDecimal), ("0x10", .notDecimal), ("1,5", .notDecimal), (" 1", .notDecimal),
        ("1 ", .notDecimal), ("1\n", .notDecimal), ("1\u{0}", .notDecimal), ("١", .notDecimal), ("１", .notDecimal),
        ("NaN", .notDecimal), ("0.000000001", .belowOneSatoshi), ("1.000000000000000001", .belowOneSatoshi),
        ("21000000.00000001", .aboveMaximum), ("21000001", .aboveMaximum), ("2100000000000000", .aboveMaximum),
        ("9223372036854775808", .aboveMaximum), ("184467440737.09551616", .aboveMaximum),
        ("99999999999999999999999999999999999999999999", .aboveMaximum),
    ])
    func whatIsNoAmountIsRefused(_ text: String, _ error: Amount.DecimalError) {
        #expect(throws: error) { try Amount(decimalBitcoin: text) }
    }

    @Test(arguments: [
        (0, "0"), (1, "0.00000001"), (10, "0.0000001"), (50_000_000, "0.5"), (5_000_000_000, "50"),
        (2_100_000_000_000_000, "21000000"), (2_099_999_999_999_999, "20999999.99999999"),
    ])
    func noMoreDecimalsThanNeededAreWritten(_ satoshis: Int64, _ text: String) throws {
        #expect(try #require(Amount(satoshis: satoshis)).decimalBitcoin == text)
    }

    @Test func everyAmountIsReadAsItWasWritten() throws {
        var generator = SeededGenerator()
        for _ in 0..<10_000 {
            // Every magnitude alike.
            let satoshis =
                Int64.random(in: 0...Amount.maximum.satoshis, using: &generator)
                >> Int.random(in: 0...50, using: &generator)
            let amount = try #require(Amount(satoshis: satoshis))
            #expect(try Amount(decimalBitcoin: amount.decimalBitcoin) == amount)
            #expect(try Amount(decimalBitcoin: amount.description.dropLast(4)) == amount)
        }
    }
}
