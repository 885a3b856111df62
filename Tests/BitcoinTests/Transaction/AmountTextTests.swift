import Bitcoin
import TestSupport
import Testing

@Suite struct AmountTextTests {
    @Test(arguments: [
        ("5000sat", 5_000), ("5000 sat", 5_000), ("5000sats", 5_000), ("5000 SATS", 5_000), ("1Sat", 1),
        ("0.001btc", 100_000), ("0.001 BTC", 100_000), ("1 Btc", 100_000_000), (".5btc", 50_000_000), ("0sat", 0),
        ("21000000btc", 2_100_000_000_000_000), ("2100000000000000sat", 2_100_000_000_000_000),
        ("0.07btc", 7_000_000), ("0.00000001btc", 1), ("0.100000000000btc", 10_000_000),
    ])
    func amountsWithUnitsAreExact(_ text: String, _ satoshis: Int64) throws {
        #expect(try Amount(parsing: text).satoshis == satoshis)
    }

    @Test(arguments: [
        ("", Amount.TextError.empty), ("5000", .unitMissing), ("0.001", .unitMissing), ("0.000000001", .unitMissing),
        ("99999999999999999999", .unitMissing),
        ("1,5", .number(.notDecimal)), ("1,5btc", .number(.notDecimal)), ("1 000sat", .number(.notDecimal)),
        ("0.000000001btc", .number(.belowOneSatoshi)), ("1.5sat", .number(.belowOneSatoshi)),
        ("1.0sat", .number(.belowOneSatoshi)), ("-1sat", .number(.notDecimal)), ("+1sat", .number(.notDecimal)),
        ("-1", .number(.notDecimal)), ("1e3sat", .number(.notDecimal)), ("1e3", .number(.notDecimal)),
        ("1E-3btc", .number(.notDecimal)), ("sat", .number(.empty)), ("btc", .number(.empty)),
        (".btc", .number(.empty)),
        (" 1sat", .number(.notDecimal)), ("1  sat", .number(.notDecimal)), ("1\tsat", .number(.notDecimal)),
        ("1sat ", .unknownUnit), ("1 sat sat", .unknownUnit), ("1mbtc", .unknownUnit), ("1bits", .unknownUnit),
        ("1₿", .unknownUnit), ("1ſat", .unknownUnit), ("0x10sat", .unknownUnit), ("١sat", .unknownUnit),
        ("21000000.00000001btc", .number(.aboveMaximum)), ("2100000000000001sat", .number(.aboveMaximum)),
        ("99999999999999999999sat", .number(.aboveMaximum)), ("1.2.3sat", .number(.notDecimal)),
    ])
    func whatIsNoAmountIsRefused(_ text: String, _ error: Amount.TextError) {
        #expect(throws: error) { try Amount(parsing: text) }
        #expect(!error.description.isEmpty)
    }

    @Test func everyAmountIsReadAsItWasWritten() throws {
        var generator = SeededGenerator()
        for _ in 0..<5_000 {
            let satoshis =
                Int64.random(in: 0...Amount.maximum.satoshis, using: &generator)
                >> Int.random(in: 0...50, using: &generator)
            let amount = try #require(Amount(satoshis: satoshis))
            #expect(try Amount(parsing: "\(satoshis)sat") == amount)
            #expect(try Amount(parsing: amount.decimalBitcoin + "btc") == amount)
            #expect(try Amount(parsing: amount.description) == amount)
        }
    }
}
