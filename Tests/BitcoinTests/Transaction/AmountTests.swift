import Bitcoin
import Testing

@Suite struct AmountTests {
    @Test func theMoneySupplyIsTheLimit() throws {
        let most = try #require(Amount(satoshis: 2_100_000_000_000_000))
        let one = try #require(Amount(satoshis: 1))
        #expect(most == .maximum && most.adding(one) == nil && most.subtracting(one)?.satoshis == 2_099_999_999_999_999)
        #expect(Amount(satoshis: -1) == nil && Amount(satoshis: 2_100_000_000_000_001) == nil)
        #expect(Amount(satoshis: UInt64.max) == nil && Amount(satoshis: Int64.min) == nil)
        #expect(Amount.zero.subtracting(one) == nil)
        #expect(Amount.sum([most, .zero]) == most && Amount.sum([most, one]) == nil && Amount.sum([]) == .zero)
        #expect(.zero < one)
    }

    @Test func eightDecimalsAreShown() {
        #expect(Amount.zero.description == "0.00000000 BTC")
        #expect(Amount(satoshis: 12_345)?.description == "0.00012345 BTC")
        #expect(Amount.maximum.description == "21000000.00000000 BTC")
    }
}
