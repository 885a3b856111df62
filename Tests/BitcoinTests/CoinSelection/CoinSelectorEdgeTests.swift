import TestSupport
import Testing

@testable import Bitcoin

@Suite struct CoinSelectorEdgeTests {
    private func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    private func coin(
        _ satoshis: Int64, isConfirmed: Bool = true, isRequired: Bool = false
    ) throws -> CoinCandidate {
        CoinCandidate(
            amount: try amount(satoshis), satisfactionWeight: 107, hasWitness: true, isConfirmed: isConfirmed,
            isRequired: isRequired)
    }

    private func selector(
        _ payments: [Int64], _ demand: FeeDemand? = nil, script: Script = RandomCoins.script(1)
    ) throws -> CoinSelector {
        CoinSelector(
            payments: try payments.map { TransactionOutput(amount: try amount($0), scriptPubKey: script) },
            changeScript: RandomCoins.script(2), changeSatisfactionWeight: 107,
            feeDemand: try demand ?? .rate(FeeRate(parsing: "10")))
    }

    private func select(_ selector: CoinSelector, _ coins: [CoinCandidate]) throws -> CoinSelection {
        var generator = SeededGenerator()
        return try selector.select(from: coins, using: &generator)
    }

    /// One input, one output: 437 weight units, 110 vB, 1 100 sat at 10 sat/vB.
    @Test func oneCoinIsEnoughToTheSatoshi() throws {
        let exact = try select(selector([50_000]), [coin(51_100)])
        #expect(exact.fee.satoshis == 1_100)
        #expect(exact.change == nil)
        #expect(exact.weight == 437)
        #expect(
            throws: CoinSelectionError.insufficient(needed: try amount(51_100), available: try amount(51_099))
        ) { try select(selector([50_000]), [coin(51_099)]) }
        #expect(throws: CoinSelectionError.insufficient(needed: try amount(51_100), available: try amount(1_000))) {
            try select(selector([50_000]), [coin(1_000)])
        }
    }

    /// The one solution that the search must not miss through rounding: every coin, and not a satoshi more.
    @Test func allCoinsToTheSatoshi() throws {
        let coins = try (0..<5).map { try coin(20_000 + $0) }
        // 4 · (10 + 31 + 5 · 41) + 2 + 5 · 107: 1 521 weight units, 381 vB.
        let selection = try select(selector([100_010 - 3_810]), coins)
        #expect(selection.fee.satoshis == 3_810)
        #expect(selection.indices == [0, 1, 2, 3, 4])
        #expect(throws: CoinSelectionError.self) { try select(selector([100_010 - 3_809]), coins) }
    }

    @Test func changeIsMadeOnlyWhenItIsWorthAnOutput() throws {
        let selector = try selector([50_000])
        // 31 vB more for the change output; spending it costs 68 vB at the long-term rate of 10 sat/vB, and a satoshi.
        #expect(selector.leastChange.satoshis == 681)
        let without = try select(selector, [coin(50_000 + 1_410 + 680)])
        #expect(without.change == nil)
        #expect(without.fee.satoshis == 2_090)
        let with = try select(selector, [coin(50_000 + 1_410 + 681)])
        #expect(with.change?.satoshis == 681)
        #expect(with.fee.satoshis == 1_410)
        let cheap = CoinSelector(
            payments: selector.payments, changeScript: selector.changeScript, changeSatisfactionWeight: 107,
            feeDemand: selector.feeDemand, longTermFeeRate: try FeeRate(parsing: "1"))
        #expect(cheap.leastChange.satoshis == 294)
    }

    @Test func unconfirmedCoinsAreTheLastResort() throws {
        let coins = try [coin(100_000, isConfirmed: false), coin(60_000), coin(60_000)]
        #expect(try select(selector([50_000]), coins).indices.allSatisfy { $0 > 0 })
        #expect(try select(selector([110_000]), coins).indices == [1, 2])
        #expect(try select(selector([150_000]), coins).indices.contains(0))
    }

    @Test func requiredCoinsAreSpentWhateverTheyAreWorth() throws {
        let coins = try [coin(100, isRequired: true), coin(100), coin(500_000), coin(70_000)]
        let selection = try select(selector([50_000]), coins)
        #expect(selection.indices.contains(0))
        #expect(!selection.indices.contains(1))
        let alone = try select(selector([50_000]), [coin(100_000, isRequired: true), coin(51_100)])
        #expect(alone.indices == [0])
        #expect(alone.algorithm == .required)
    }

    @Test func anAbsoluteFeeIsPaidToTheSatoshi() throws {
        var generator = SeededGenerator()
        let coins = try (0..<30).map { _ in try coin(Int64.random(in: 5_000...90_000, using: &generator)) }
        for _ in 0..<60 {
            let fee = try amount(Int64.random(in: 0...5_000, using: &generator))
            let payment = Int64.random(in: 1_000...600_000, using: &generator)
            let selection = try selector([payment], .absolute(fee)).select(from: coins, using: &generator)
            if let change = selection.change {
                #expect(selection.fee == fee)
                #expect(change.satoshis >= 681)
            } else {
                #expect((0..<681).contains(selection.fee.satoshis - fee.satoshis))
            }
        }
    }

    /// A sum as fee says nothing of the rate: coins that are worth less than spending them costs some day stay.
    @Test func anAbsoluteFeeTakesNoCrumbs() throws {
        let coins = try (0..<50).map { _ in try coin(600) } + [coin(40_000), coin(30_000)]
        let selection = try select(selector([50_000], .absolute(amount(500))), coins)
        #expect(selection.indices == [50, 51])
        #expect(throws: CoinSelectionError.self) { try select(selector([80_000], .absolute(amount(500))), coins) }
        let everything = try selector([], .absolute(amount(500))).selectEverything(from: coins)
        #expect(everything.indices == [50, 51])
    }

    @Test func aReplacementPaysForTheOldAndForItself() throws {
        let demand = FeeDemand.replacing(fee: try amount(5_000), rate: try FeeRate(parsing: "2"))
        let selection = try select(selector([50_000], demand), [coin(100_000)])
        // 141 vB: 282 sat by the rate, and 5 141 by the rules.
        #expect(selection.fee.satoshis == 5_141)
        let high = FeeDemand.replacing(fee: try amount(5_000), rate: try FeeRate(parsing: "50"))
        #expect(try select(selector([50_000], high), [coin(100_000)]).fee.satoshis == 7_050)
    }

    @Test func whatCannotBePaidIsRefused() throws {
        let coins = try [coin(100_000)]
        #expect(throws: CoinSelectionError.noPayments) { try select(selector([]), coins) }
        #expect(throws: CoinSelectionError.dust(payment: 1, limit: try amount(294))) {
            try select(selector([294, 293]), coins)
        }
        let legacy = try #require(Script.p2pkh(keyHash: [UInt8](repeating: 1, count: 20)))
        #expect(throws: CoinSelectionError.dust(payment: 0, limit: try amount(546))) {
            try select(selector([545], script: legacy), coins)
        }
        #expect(throws: CoinSelectionError.noneEconomical) { try select(selector([50_000]), [coin(677), coin(1)]) }
        #expect(throws: CoinSelectionError.insufficient(needed: try amount(50_410), available: .zero)) {
            try select(selector([50_000]), [])
        }
        let most = Amount.maximum.satoshis
        #expect(throws: CoinSelectionError.amountsOverflow) { try select(selector([most, 1_000]), coins) }
        #expect(throws: CoinSelectionError.amountsOverflow) { try select(selector([1_000]), [coin(most), coin(1)]) }
        #expect(throws: CoinSelectionError.self) { try select(selector([most]), [coin(most)]) }
        let negative = CoinSelector(
            payments: [TransactionOutput(value: -1, scriptPubKey: RandomCoins.script(1))],
            changeScript: RandomCoins.script(2), changeSatisfactionWeight: 107, feeDemand: .absolute(.zero))
        #expect(throws: CoinSelectionError.amountsOverflow) { try select(negative, coins) }
    }

    /// Data without value is paid to nobody, and is no dust.
    @Test func dataMayComeAlone() throws {
        let selection = try select(selector([0], script: .nullData([1, 2, 3])), [coin(100_000)])
        #expect(selection.change != nil)
    }

    @Test func tooHeavyTransactionsAreRefused() throws {
        // 271 weight units an input: 1 475 of them fit into 400 000.
        let coins = try (0..<1_600).map { _ in try coin(1_000) }
        let selector = try selector([900_000], .rate(FeeRate(parsing: "1")))
        let selection = try select(selector, coins)
        #expect(selection.weight <= CoinSelector.weightLimit)
        let heavy = try self.selector([1_460_000], .rate(FeeRate(parsing: "1")))
        #expect(throws: CoinSelectionError.tooHeavy(limit: 400_000)) { try select(heavy, coins) }
        #expect(throws: CoinSelectionError.tooHeavy(limit: 400_000)) { try heavy.selectEverything(from: coins) }
        // A few large coins among many small ones: the small ones are let go.
        let mixed = try coins + (0..<3).map { _ in try coin(600_000) }
        #expect(try select(heavy, mixed).weight <= CoinSelector.weightLimit)
    }

    /// 399 899 weight units without change, 400 023 with it: what there is no room for is not the fee.
    @Test func changeForWhichThereIsNoRoomIsNotPaidAsFee() throws {
        let selector = try selector([1_000_000], .rate(FeeRate(parsing: "1")))
        let required = try (0..<1_475).map { _ in try coin(10_000, isRequired: true) }
        #expect(throws: CoinSelectionError.tooHeavy(limit: 400_000)) { try select(selector, required) }
        let fewer = try select(selector, [CoinCandidate](required.dropLast()))
        #expect(fewer.change != nil && fewer.fee.satoshis == Int64(fewer.virtualSize))
        // Every coin is needed, and what would be left is worth an output.
        let coins = try (0..<1_475).map { _ in try coin(10_000) }
        let most = try self.selector([14_750_000 - 99_975 - 2_000], .rate(FeeRate(parsing: "1")))
        #expect(throws: CoinSelectionError.tooHeavy(limit: 400_000)) { try select(most, coins) }
    }

    @Test func moreThan252InputsCountTheirNumber() throws {
        for count in [252, 253, 300] {
            let coins = try (0..<count).map { _ in try coin(10_000, isRequired: true) }
            let demand = FeeDemand.rate(try FeeRate(parsing: "1"))
            let selection = try select(selector([1_000_000], demand), coins)
            #expect(selection.weight == 4 * (10 + 62 + (count > 252 ? 2 : 0)) + 2 + count * 271)
            #expect(selection.fee.satoshis == Int64(selection.virtualSize))
        }
    }

    @Test func drainingLeavesNothing() throws {
        let selector = try selector([])
        let selection = try selector.selectEverything(from: [coin(100_000), coin(200), coin(50_000)])
        #expect(selection.indices == [0, 2])
        // 4 · (10 + 31) + 2 + 2 · 271: 708 weight units, 177 vB.
        #expect(selection.fee.satoshis == 1_770)
        #expect(selection.change?.satoshis == 148_230)
        #expect(throws: CoinSelectionError.noneEconomical) { try selector.selectEverything(from: [coin(200)]) }
        #expect(throws: CoinSelectionError.insufficient(needed: try amount(1_394), available: try amount(1_393))) {
            try selector.selectEverything(from: [coin(1_393)])
        }
        #expect(try selector.selectEverything(from: [coin(1_394)]).change?.satoshis == 294)
        #expect(throws: CoinSelectionError.self) { try selector.selectEverything(from: []) }
    }

    @Test func errorsSayWhatIsWrong() throws {
        let errors: [CoinSelectionError] = [
            .noPayments, .dust(payment: 0, limit: .zero), .amountsOverflow, .noneEconomical,
            .insufficient(needed: .zero, available: .zero), .tooHeavy(limit: 1),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
