import Bitcoin
import Testing

@testable import ChainData

@Suite struct FeeRateTests {
    @Test func estimatesAreBounded() throws {
        #expect(try FeeRate.estimate(-100_000_000) == nil)
        #expect(try FeeRate.estimate(0) == nil)
        #expect(try FeeRate.estimate(1) == FeeRate(satoshisPerKiloVirtualByte: 1_000))
        #expect(try FeeRate.estimate(10_000_000) == FeeRate(satoshisPerKiloVirtualByte: 10_000_000))
        #expect(throws: ChainError.liar("a fee estimate above 10000 sat/vB")) { try FeeRate.estimate(10_000_001) }
    }

    @Test func leastRatesAreBounded() throws {
        #expect(try FeeRate.minimum(0) == FeeRate(satoshisPerKiloVirtualByte: 1))
        #expect(try FeeRate.minimum(100) == FeeRate(satoshisPerKiloVirtualByte: 100))
        #expect(throws: ChainError.malformed("the minimum fee rate is negative")) { try FeeRate.minimum(-1) }
        #expect(throws: ChainError.liar("a minimum fee rate above 1000 sat/vB")) { try FeeRate.minimum(1_000_001) }
    }
}
