import Bitcoin
import TestSupport
import Testing

@Suite struct FeeRateTests {
    @Test(arguments: [
        ("1", 1_000), ("2.5", 2_500), ("0.1", 100), ("0.001", 1), (".5", 500), ("1.", 1_000), ("007", 7_000),
        ("100000", 100_000_000), ("99999.999", 99_999_999), ("1.10", 1_100),
    ])
    func decimalsAreExact(_ text: String, _ rate: Int64) throws {
        #expect(try FeeRate(parsing: text).satoshisPerKiloVirtualByte == rate)
    }

    @Test(arguments: [
        ("", FeeRate.ParsingError.empty), (".", .empty), ("0", .zero), ("0.000", .zero), ("0.0001", .tooPrecise),
        ("1.0000", .tooPrecise), ("-1", .notDecimal), ("+1", .notDecimal), ("1e3", .notDecimal), ("1,5", .notDecimal),
        ("1.2.3", .notDecimal), (" 1", .notDecimal), ("1 sat/vB", .notDecimal), ("١", .notDecimal),
        ("100000.001", .aboveMaximum), ("100001", .aboveMaximum),
        ("99999999999999999999999999", .aboveMaximum),
    ])
    func whatIsNoRateIsRefused(_ text: String, _ error: FeeRate.ParsingError) {
        #expect(throws: error) { try FeeRate(parsing: text) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: [(1_000, "1"), (2_500, "2.5"), (1, "0.001"), (12_340, "12.34"), (100_000_000, "100000")])
    func noMoreDecimalsThanNeededAreWritten(_ rate: Int, _ text: String) throws {
        let rate = try #require(FeeRate(satoshisPerKiloVirtualByte: rate))
        #expect(rate.satoshisPerVirtualByteText == text)
        #expect(rate.description == text + " sat/vB")
    }

    @Test func onlyRatesWithinTheBoundsExist() {
        #expect(FeeRate(satoshisPerKiloVirtualByte: 0) == nil)
        #expect(FeeRate(satoshisPerKiloVirtualByte: -1) == nil)
        #expect(FeeRate(satoshisPerKiloVirtualByte: 100_000_001) == nil)
        #expect(FeeRate(satoshisPerKiloVirtualByte: UInt64.max) == nil)
    }

    @Test func feesAreRoundedUp() throws {
        let rate = try FeeRate(parsing: "1.1")
        #expect(rate.fee(forVirtualSize: 0)?.satoshis == 0)
        #expect(rate.fee(forVirtualSize: 1)?.satoshis == 2)
        #expect(rate.fee(forVirtualSize: 10)?.satoshis == 11)
        #expect(rate.fee(forVirtualSize: 141)?.satoshis == 156)
        #expect(rate.fee(forWeight: 561)?.satoshis == 156)
        #expect(rate.fee(forWeight: 564)?.satoshis == 156)
        #expect(rate.fee(forWeight: 565)?.satoshis == 157)
        #expect(rate.fee(forVirtualSize: -1) == nil)
        #expect(rate.fee(forWeight: -1) == nil)
        #expect(rate.fee(forWeight: -8) == nil)
        #expect(FeeRate.maximum.fee(forVirtualSize: .max) == nil)
        #expect(FeeRate.maximum.fee(forVirtualSize: 30_000_000_000) == nil)
    }

    @Test func theRateOfAFeeIsRoundedDown() throws {
        let fee = try #require(Amount(satoshis: 1_000))
        #expect(FeeRate(fee: fee, virtualSize: 141)?.satoshisPerKiloVirtualByte == 7_092)
        #expect(FeeRate(fee: fee, virtualSize: 0) == nil)
        #expect(FeeRate(fee: .zero, virtualSize: 141) == nil)
        #expect(FeeRate(fee: .maximum, virtualSize: 141) == nil)
    }

    @Test func everyRateIsReadAsItWasWritten() throws {
        var generator = SeededGenerator()
        for _ in 0..<10_000 {
            let number = max(
                1, Int64.random(in: 1...100_000_000, using: &generator) >> Int.random(in: 0...26, using: &generator))
            let rate = try #require(FeeRate(satoshisPerKiloVirtualByte: number))
            #expect(try FeeRate(parsing: rate.satoshisPerVirtualByteText) == rate)
            // The rate that a fee comes to is never below the one that was asked for.
            let size = Int.random(in: 60...100_000, using: &generator)
            let fee = try #require(rate.fee(forVirtualSize: size))
            #expect(fee.satoshis * 1_000 >= number * Int64(size))
            #expect((fee.satoshis - 1) * 1_000 < number * Int64(size))
        }
    }
}
