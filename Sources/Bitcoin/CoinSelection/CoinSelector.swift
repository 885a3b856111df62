/// Chooses the coins that pay for a transaction.
///
/// Several algorithms make proposals; the one with the least waste wins. Fees are exact for the size of the signed
/// transaction. With change, the fee is the rate times the virtual size, rounded up. Without change, the remainder is
/// worth less than a change output, and is added to the fee.
public struct CoinSelector: Sendable {
    /// The heaviest transaction that is built, in weight units: the heaviest that nodes relay.
    static let weightLimit = TransactionWeight.largest

    /// The outputs, without the change.
    public let payments: [TransactionOutput]
    /// Where the remainder goes.
    public let changeScript: Script
    /// The weight of the complete, signed input that will spend the change, in weight units.
    let changeInputWeight: Int
    /// The fee to pay.
    public let feeDemand: FeeDemand
    /// The fee rate expected later, which decides whether coins are spent now or kept.
    public let longTermFeeRate: FeeRate

    /// A selector for a transaction.
    /// - Parameters:
    ///   - changeSatisfactionWeight: what signing adds to the input that will spend the change: see
    ///     `SpendingInformation.satisfactionWeight`.
    public init(
        payments: [TransactionOutput], changeScript: Script, changeSatisfactionWeight: Int, feeDemand: FeeDemand,
        longTermFeeRate: FeeRate = .usualLongTerm
    ) {
        self.payments = payments
        self.changeScript = changeScript
        changeInputWeight =
            CoinCandidate.unsignedInputWeight + max(0, min(changeSatisfactionWeight, TransactionWeight.largest))
        self.feeDemand = feeDemand
        self.longTermFeeRate = longTermFeeRate
    }

    /// The least change that is worth an output: not dust, and more than spending it will cost.
    var leastChange: Amount {
        let dust = TransactionOutput(amount: .zero, scriptPubKey: changeScript).dustLimit
        let spending = longTermFeeRate.fee(forWeight: changeInputWeight) ?? .maximum
        return max(dust, spending.adding(Amount(satoshis: 1) ?? .zero) ?? .maximum)
    }

    /// Chooses coins. The same candidates and random numbers give the same choice.
    ///
    /// Required candidates are always spent; others only when they add more than they cost at this rate; unconfirmed ones
    /// only when the rest is not enough.
    /// - Parameter generator: the source of randomness.
    public func select(
        from candidates: [CoinCandidate], using generator: inout some RandomNumberGenerator
    ) throws(CoinSelectionError) -> CoinSelection {
        guard !payments.isEmpty else { throw .noPayments }
        let sums = try SelectionSums(self, candidates)
        let required = candidates.indices.filter { candidates[$0].isRequired }
        if !required.isEmpty {
            if let enough = sums.outcome(of: required, by: .required) { return enough }
            // Further coins would only add to the weight.
            if sums.suffices(required) { throw .tooHeavy(limit: Self.weightLimit) }
        }

        let economical = sums.economicalCandidates
        guard !economical.isEmpty || !required.isEmpty else {
            throw candidates.isEmpty ? try sums.shortage(of: []) : .noneEconomical
        }
        let confirmed = economical.filter { candidates[$0].isConfirmed }
        for coins in confirmed.count == economical.count ? [economical] : [confirmed, economical] {
            if let best = proposals(of: coins, required: required, sums, using: &generator) { return best }
        }
        let all = required + economical
        // Enough, but only with coins that make the transaction too heavy.
        if sums.suffices(all) { throw .tooHeavy(limit: Self.weightLimit) }
        throw try sums.shortage(of: all)
    }

    /// Spends every coin that adds more than it costs, and the required ones; the remainder goes to the change script, which
    /// need not belong to the wallet.
    /// - Throws: `.insufficient` when nothing or dust would remain.
    func selectEverything(from candidates: [CoinCandidate]) throws(CoinSelectionError) -> CoinSelection {
        let sums = try SelectionSums(self, candidates)
        let all = candidates.indices.filter { candidates[$0].isRequired } + sums.economicalCandidates
        guard !all.isEmpty else { throw candidates.isEmpty ? try sums.shortage(of: []) : .noneEconomical }
        guard let weight = sums.weightWithChange(of: all), weight <= Self.weightLimit else {
            throw .tooHeavy(limit: Self.weightLimit)
        }
        guard let outcome = sums.drain(all) else { throw try sums.shortage(of: all, leavingChange: true) }
        return outcome
    }

    private func proposals(
        of coins: [Int], required: [Int], _ sums: SelectionSums, using generator: inout some RandomNumberGenerator
    ) -> CoinSelection? {
        var outcomes: [CoinSelection] = []
        func propose(_ places: [Int]?, _ pool: SelectionPool, _ algorithm: CoinSelection.Algorithm) {
            guard let places else { return }
            let indices = required + places.map { pool.coins[$0].index }
            if let outcome = sums.outcome(of: indices, by: algorithm) { outcomes.append(outcome) }
        }
        if let pool = sums.pool(of: coins, required: required) {
            let change = pool.changeTarget + sums.randomChange(using: &generator)
            propose(pool.branchAndBound(), pool, .branchAndBound)
            propose(pool.singleRandomDraw(leaving: pool.changeTarget, using: &generator), pool, .singleRandomDraw)
            propose(pool.knapsack(leaving: change, using: &generator), pool, .knapsack)
            // The fewest inputs are worth trying when fees are high, or when nothing else is light enough.
            if outcomes.isEmpty || sums.isExpensive {
                propose(pool.largestFirst(leaving: pool.changeTarget), pool, .largestFirst)
                propose(pool.largestFirst(), pool, .largestFirst)
            }
        }
        if outcomes.isEmpty, let everything = sums.outcome(of: required + coins, by: .everything) {
            outcomes.append(everything)
        }
        // Among equals, the lighter, then the first, so that a choice can be repeated.
        return outcomes.min { ($0.waste, $0.weight) < ($1.waste, $1.weight) }
    }
}
