import TestSupport
import Testing

@testable import Bitcoin

@Suite struct CoinSelectorTests {
    /// Every property that a choice has, over random wallets.
    @Test func choicesAddUp() async throws {
        try await LongWork.run {
            var generator = SeededGenerator()
            var algorithms: Set<CoinSelection.Algorithm> = []
            var shortages = 0
            for round in 0..<250 {
                let coins = try RandomCoins(&generator)
                do {
                    let selection = try coins.selector.select(from: coins.candidates, using: &generator)
                    try expectSound(selection, coins, "\(round)")
                    algorithms.insert(selection.algorithm)
                } catch let error as CoinSelectionError {
                    try expectTrue(error, coins, "\(round)")
                    shortages += 1
                }
            }
            #expect(
                algorithms.isSuperset(of: [.branchAndBound, .singleRandomDraw, .knapsack, .largestFirst, .required]))
            #expect((3..<120).contains(shortages))
        }
    }

    @Test func everythingAddsUp() async throws {
        try await LongWork.run {
            var generator = SeededGenerator()
            var drained = 0
            for round in 0..<250 {
                var coins = try RandomCoins(&generator)
                coins = RandomCoins(candidates: coins.candidates, selector: coins.selector.paying([]))
                do {
                    let selection = try coins.selector.selectEverything(from: coins.candidates)
                    try expectSound(selection, coins, "\(round)", isDrain: true)
                    #expect(selection.change != nil)
                    let left = coins.candidates.indices.filter { !selection.indices.contains($0) }
                    for index in left { #expect(!coins.isEconomical(index), "\(round)") }
                    drained += 1
                } catch let error as CoinSelectionError {
                    try expectTrue(error, coins, "\(round)", isDrain: true)
                }
            }
            #expect(drained > 120)
        }
    }

    @Test func theSameSeedMakesTheSameChoice() throws {
        var generator = SeededGenerator()
        for _ in 0..<200 {
            let coins = try RandomCoins(&generator)
            var one = generator
            var other = generator
            let first = Result { try coins.selector.select(from: coins.candidates, using: &one) }
            let second = Result { try coins.selector.select(from: coins.candidates, using: &other) }
            switch (first, second) {
            case (.success(let first), .success(let second)): #expect(first == second)
            case (.failure(let first), .failure(let second)):
                #expect(first as? CoinSelectionError == second as? CoinSelectionError)
            default: Issue.record("one of two equal choices failed")
            }
        }
    }

    private func expectSound(
        _ selection: CoinSelection, _ coins: RandomCoins, _ comment: Comment, isDrain: Bool = false
    ) throws {
        let candidates = coins.candidates
        let paid = try #require(Amount.sum(coins.selector.payments.compactMap(\.amount)))
        let taken = try #require(Amount.sum(selection.indices.map { candidates[$0].amount }))
        #expect(
            taken.satoshis == paid.satoshis + selection.fee.satoshis + (selection.change?.satoshis ?? 0), comment)
        #expect(selection.indices == Array(Set(selection.indices)).sorted(), comment)
        let transaction = try coins.transaction(selection)
        #expect(transaction.weight == selection.weight, comment)
        #expect(transaction.virtualSize == selection.virtualSize, comment)
        #expect(!transaction.outputs.contains { $0.isDust }, comment)
        let rate = try #require(coins.selector.feeDemand.rate)
        let asked = try #require(rate.fee(forVirtualSize: transaction.virtualSize))
        if let change = selection.change {
            #expect(selection.fee == asked, comment)
            if !isDrain { #expect(change >= coins.selector.leastChange, comment) }
        } else {
            // What remains is less than change is worth and costs.
            let withChange = try #require(rate.fee(forVirtualSize: transaction.virtualSize + 31))
            #expect(selection.fee >= asked, comment)
            #expect(
                selection.fee.satoshis < withChange.satoshis + coins.selector.leastChange.satoshis
                    + rate.satoshisPerKiloVirtualByte / 1_000 + 1, comment)
        }
        for index in candidates.indices {
            let isTaken = selection.indices.contains(index)
            if candidates[index].isRequired { #expect(isTaken, comment) }
            if isTaken, !candidates[index].isRequired { #expect(coins.isEconomical(index), comment) }
        }
    }

    private func expectTrue(
        _ error: CoinSelectionError, _ coins: RandomCoins, _ comment: Comment, isDrain: Bool = false
    ) throws {
        let usable = coins.candidates.indices.filter { coins.candidates[$0].isRequired || coins.isEconomical($0) }
        switch error {
        case .noneEconomical: #expect(usable.isEmpty, comment)
        case .insufficient(let needed, let available):
            #expect(needed > available || isDrain, comment)
            #expect(available == Amount.sum(usable.map { coins.candidates[$0].amount }), comment)
        default: Issue.record("\(comment): \(error)")
        }
    }
}

extension RandomCoins {
    init(candidates: [CoinCandidate], selector: CoinSelector) {
        self.candidates = candidates
        self.selector = selector
    }

    /// Whether a coin is worth more than its input costs, also in company of inputs with witnesses.
    func isEconomical(_ index: Int) -> Bool {
        let coin = candidates[index]
        let rate = selector.feeDemand.rate?.satoshisPerKiloVirtualByte ?? 0
        let company = candidates.contains(where: \.hasWitness) && !coin.hasWitness ? 1 : 0
        return coin.amount.satoshis * 4_000 > rate * Int64(coin.inputWeight + company)
    }
}

extension CoinSelector {
    /// The same selector for other payments.
    func paying(_ payments: [TransactionOutput]) -> CoinSelector {
        CoinSelector(
            payments: payments, changeScript: changeScript, changeSatisfactionWeight: changeInputWeight - 164,
            feeDemand: feeDemand, longTermFeeRate: longTermFeeRate)
    }
}
