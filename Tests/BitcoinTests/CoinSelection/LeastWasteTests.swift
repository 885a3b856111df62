import TestSupport
import Testing

@testable import Bitcoin

/// Small wallets, in which every set of coins can be looked at.
@Suite struct LeastWasteTests {
    /// What rounding comes to: a few weight units and satoshis each way, and a byte for each input without witness.
    private static func reserve(_ coins: RandomCoins, rate: Int64) -> Int64 {
        rate * Int64(12 + coins.candidates.count) + 4 * 4_000
    }

    /// A set of coins by what it wastes, in four-thousandths of a satoshi; `nil` where it makes change or does not suffice.
    private func waste(
        _ set: Int, of coins: RandomCoins, rate: Int64
    ) throws -> Int64? {
        let indices = coins.candidates.indices.filter { set >> $0 & 1 == 1 }
        let inputs = indices.map { coins.candidates[$0] }
        let paid = coins.selector.payments.reduce(0) { $0 + $1.value }
        let rest = inputs.reduce(0) { $0 + $1.amount.satoshis } - paid
        let witnesses = inputs.filter(\.hasWitness).count
        let base = 4 * (10 + coins.selector.payments.reduce(0) { $0 + 9 + $1.scriptPubKey.bytes.count })
        // As heavy as the least favourable company could make it, and rounded up as a whole.
        let weight = Int64(
            base + inputs.reduce(0) { $0 + $1.inputWeight } + 2 + inputs.count - witnesses + 3)
        let excess = 4_000 * (rest - 2) - rate * weight
        let changeCost = rate * 124 + 4_000 * coins.selector.leastChange.satoshis
        // Near the upper end rounding decides whether change is made.
        guard excess >= 0, excess <= changeCost - Self.reserve(coins, rate: rate) else { return nil }
        let longTerm = coins.selector.longTermFeeRate.satoshisPerKiloVirtualByte
        return inputs.reduce(0) { $0 + Int64($1.inputWeight) * (rate - longTerm) } + excess
    }

    /// At rates above the long-term one no set without change is better than the chosen one, but for what rounding up keeps
    /// in reserve. (Below it, crumbs are not swept up only because they would cost more later than they are worth.)
    @Test func noSetWithoutChangeIsBetter() async throws {
        try await LongWork.run {
            var generator = SeededGenerator()
            var compared = 0
            for round in 0..<300 {
                let rate = Int64.random(in: 1_000...100_000, using: &generator)
                let coins = try RandomCoins(&generator, mostCoins: 10, required: false)
                    .payingFromSet(rate, &generator)
                var best: Int64?
                for set in 1..<(1 << coins.candidates.count) {
                    guard !coins.candidates.indices.contains(where: { set >> $0 & 1 == 1 && !coins.isEconomical($0) })
                    else { continue }
                    guard let waste = try waste(set, of: coins, rate: rate) else { continue }
                    best = min(best ?? waste, waste)
                }
                guard let best else { continue }
                let selection = try coins.selector.select(from: coins.candidates, using: &generator)
                let reserve = Self.reserve(coins, rate: rate)
                #expect(selection.waste * 4_000 <= best + reserve, "\(round): \(selection)")
                compared += 1
            }
            #expect(compared > 50)
        }
    }
}

extension RandomCoins {
    /// The same coins, all confirmed, and a payment for which some of them just suffice, at a rate above the long-term one.
    fileprivate func payingFromSet(_ rate: Int64, _ generator: inout SeededGenerator) throws -> RandomCoins {
        let confirmed = candidates.map { coin in
            CoinCandidate(
                amount: coin.amount, satisfactionWeight: coin.inputWeight - 164, hasWitness: coin.hasWitness)
        }
        let some = confirmed.filter { _ in Bool.random(using: &generator) }
        let weight = some.reduce(4 * 41 + 20) { $0 + $1.inputWeight + 1 }
        let rest = some.reduce(0) { $0 + $1.amount.satoshis } - rate * Int64(weight) / 4_000
        let payment = max(1_000, rest - Int64.random(in: 0...300, using: &generator))
        return RandomCoins(
            candidates: confirmed,
            selector: CoinSelector(
                payments: [TransactionOutput(value: payment, scriptPubKey: Self.script(1))],
                changeScript: selector.changeScript, changeSatisfactionWeight: 107,
                feeDemand: .rate(try #require(FeeRate(satoshisPerKiloVirtualByte: rate))),
                longTermFeeRate: try #require(
                    FeeRate(satoshisPerKiloVirtualByte: Int64.random(in: 500...rate, using: &generator)))))
    }
}
