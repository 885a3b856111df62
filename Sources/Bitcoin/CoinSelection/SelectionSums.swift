/// The sums behind a selection: the value and weight of coins, and the result of choosing some.
struct SelectionSums {
    private let selector: CoinSelector
    private let candidates: [CoinCandidate]
    private let paid: Amount
    private let withoutChange: TransactionWeight
    private let withChange: TransactionWeight
    private let leastChange: Amount
    private let slope: Int64
    private let longTerm: Int64
    private let hasWitnesses: Bool

    /// What to leave for change when there is a choice, in satoshis: enough for a useful coin.
    ///
    /// Spec: Bitcoin Core, `CHANGE_LOWER`, `CHANGE_UPPER`.
    private static let usefulChange: ClosedRange<Int64> = 50_000...1_000_000

    /// - Throws: `.dust`, `.amountsOverflow`.
    init(_ selector: CoinSelector, _ candidates: [CoinCandidate]) throws(CoinSelectionError) {
        var paid = Amount.zero
        for (number, payment) in selector.payments.enumerated() {
            guard let amount = payment.amount, let sum = paid.adding(amount) else { throw .amountsOverflow }
            if payment.isDust { throw .dust(payment: number, limit: payment.dustLimit) }
            paid = sum
        }
        guard Amount.sum(candidates.lazy.map(\.amount)) != nil else { throw .amountsOverflow }
        self.selector = selector
        self.candidates = candidates
        self.paid = paid
        withoutChange = TransactionWeight(selector.payments)
        var withChange = withoutChange
        withChange.add(TransactionOutput(amount: .zero, scriptPubKey: selector.changeScript))
        self.withChange = withChange
        leastChange = selector.leastChange
        slope = selector.feeDemand.slope
        longTerm = selector.longTermFeeRate.satoshisPerKiloVirtualByte
        hasWitnesses = candidates.contains(where: \.hasWitness)
    }

    /// A coin's value minus its fee, in the pool's units.
    private func effectiveValue(_ coin: CoinCandidate) -> Int64 {
        coin.amount.satoshis * SelectionPool.unitsPerSatoshi - slope * Int64(weight(coin))
    }

    /// An input's weight, with the empty-witness byte that it needs when other inputs have witnesses.
    private func weight(_ coin: CoinCandidate) -> Int {
        coin.inputWeight + (hasWitnesses && !coin.hasWitness ? 1 : 0)
    }

    /// The indices of candidates that are not required and are worth more than they cost: at the rate to pay or, for a fixed
    /// fee, at the long-term rate.
    var economicalCandidates: [Int] {
        let rate = slope == 0 ? longTerm : slope
        return candidates.indices.filter { index in
            let coin = candidates[index]
            return !coin.isRequired
                && coin.amount.satoshis * SelectionPool.unitsPerSatoshi > rate * Int64(weight(coin))
        }
    }

    /// Whether fees are so high that few inputs matter most, or inputs cost nothing.
    ///
    /// Spec: Bitcoin Core, `ChooseSelectionResult`, where CoinGrinder is run.
    var isExpensive: Bool { slope > 3 * longTerm || slope == 0 }

    private func sums(_ indices: [Int]) -> (inputs: TransactionWeight.Inputs, amount: Amount) {
        var inputs = TransactionWeight.Inputs()
        var satoshis: Int64 = 0
        for index in indices {
            inputs.add(candidates[index])
            satoshis += candidates[index].amount.satoshis
        }
        // All candidates together are a valid amount.
        return (inputs, Amount(satoshis: satoshis) ?? .zero)
    }

    /// The pool for adding to required coins; `nil` when the amounts are out of range.
    func pool(of coins: [Int], required: [Int]) -> SelectionPool? {
        let (inputs, present) = sums(required)
        // A longer input count, and the fixed cost of witnesses, are paid for in advance.
        let growth = 4 * (TransactionWeight.countLength(coins.count + required.count) - 1) + (hasWitnesses ? 2 : 0)
        let reserve = required.lazy.filter { !candidates[$0].hasWitness }.count
        let base = withoutChange.weight(inputs) + growth + (hasWitnesses ? reserve : 0)
        guard let fixed = fixedFee(base) else { return nil }
        let changeWeight = Int64(withChange.weight(inputs) - withoutChange.weight(inputs))
        let changeFee = slope * changeWeight
        let satoshis = paid.satoshis - present.satoshis
        guard abs(satoshis) <= Amount.maximum.satoshis else { return nil }
        return SelectionPool(
            coins: coins.map { index in
                SelectionPool.Coin(
                    index: index, effectiveValue: effectiveValue(candidates[index]), weight: weight(candidates[index]))
            },
            target: satoshis * SelectionPool.unitsPerSatoshi + slope * Int64(base) + fixed,
            costOfChange: changeFee + leastChangeUnits,
            changeTarget: changeFee
                + max(Self.usefulChange.lowerBound * SelectionPool.unitsPerSatoshi, leastChangeUnits),
            weightLimit: TransactionWeight.largest - base - Int(changeWeight),
            wastePerWeightUnit: wastePerWeightUnit)
    }

    /// What must be paid beyond the rate for each weight unit, in the pool's units: a fixed fee, the extra for replacing, and
    /// the possible cost of rounding up; `nil` when it is out of range.
    /// - Parameter base: the weight without the inputs yet to be chosen.
    private func fixedFee(_ base: Int) -> Int64? {
        let byRate = FeeRate(satoshisPerKiloVirtualByte: slope).map { $0.fee(forWeight: base) } ?? .zero
        guard let least = selector.feeDemand.fee(forWeight: base), let byRate else { return nil }
        let sum = max(0, least.satoshis - byRate.satoshis)
        // Sizes are rounded up to four weight units, and fees to satoshis, separately for each of two rates.
        let rounding = slope == 0 ? 0 : (SelectionPool.unitsPerSatoshi + 3 * slope) * (sum == 0 ? 1 : 2)
        return sum * SelectionPool.unitsPerSatoshi + rounding
    }

    private var leastChangeUnits: Int64 {
        min(leastChange.satoshis, Amount.maximum.satoshis / 100) * SelectionPool.unitsPerSatoshi
    }

    /// A fixed fee says nothing about what a weight unit costs now.
    private var wastePerWeightUnit: Int64 { selector.feeDemand.rate == nil ? 0 : slope - longTerm }

    /// How much more than the least useful change to leave, so that change does not stand out.
    ///
    /// Spec: Bitcoin Core, `GenerateChangeTarget`.
    func randomChange(using generator: inout some RandomNumberGenerator) -> Int64 {
        let most = min(paid.satoshis * 2, Self.usefulChange.upperBound)
        guard most > Self.usefulChange.lowerBound else { return 0 }
        return Int64.random(in: 0...(most - Self.usefulChange.lowerBound), using: &generator)
            * SelectionPool.unitsPerSatoshi
    }

    /// The result of spending these coins; `nil` when they are not enough or weigh too much. Change that is worth an output
    /// does not become part of the fee because there is no room for it: then they weigh too much.
    func outcome(of indices: [Int], by algorithm: CoinSelection.Algorithm) -> CoinSelection? {
        let (inputs, amount) = sums(indices)
        guard let rest = amount.subtracting(paid) else { return nil }
        let weight = withChange.weight(inputs)
        if let fee = selector.feeDemand.fee(forWeight: weight), let change = rest.subtracting(fee),
            change >= leastChange
        {
            guard weight <= TransactionWeight.largest else { return nil }
            return selection(indices, inputs, fee: fee, change: change, weight: weight, algorithm)
        }
        let changelessWeight = withoutChange.weight(inputs)
        guard changelessWeight <= TransactionWeight.largest,
            let least = selector.feeDemand.fee(forWeight: changelessWeight), rest >= least
        else { return nil }
        return selection(indices, inputs, fee: rest, change: nil, weight: changelessWeight, algorithm)
    }

    /// The result of sending the whole remainder to the change script; `nil` when that would be dust.
    func drain(_ indices: [Int]) -> CoinSelection? {
        let (inputs, amount) = sums(indices)
        let weight = withChange.weight(inputs)
        let dust = TransactionOutput(amount: .zero, scriptPubKey: selector.changeScript).dustLimit
        guard let fee = selector.feeDemand.fee(forWeight: weight), let rest = amount.subtracting(paid),
            let change = rest.subtracting(fee), change >= dust, change > .zero
        else { return nil }
        return selection(indices, inputs, fee: fee, change: change, weight: weight, .everything)
    }

    /// The weight of spending these with change; `nil` when amounts are out of range.
    func weightWithChange(of indices: [Int]) -> Int? { withChange.weight(sums(indices).inputs) }

    /// Whether these are enough, whatever they weigh.
    func suffices(_ indices: [Int]) -> Bool {
        let (inputs, amount) = sums(indices)
        guard let rest = amount.subtracting(paid),
            let fee = selector.feeDemand.fee(forWeight: withoutChange.weight(inputs))
        else { return false }
        return rest >= fee
    }

    /// The error for coins that are not enough.
    func shortage(of indices: [Int], leavingChange: Bool = false) throws(CoinSelectionError) -> CoinSelectionError {
        let (inputs, amount) = sums(indices)
        var output = paid
        if leavingChange {
            let dust = TransactionOutput(amount: .zero, scriptPubKey: selector.changeScript).dustLimit
            guard let sum = paid.adding(dust) else { throw .amountsOverflow }
            output = sum
        }
        let weight = leavingChange ? withChange.weight(inputs) : withoutChange.weight(inputs)
        guard let fee = selector.feeDemand.fee(forWeight: weight), let needed = output.adding(fee) else {
            throw .amountsOverflow
        }
        return .insufficient(needed: needed, available: amount)
    }

    private func selection(
        _ indices: [Int], _ inputs: TransactionWeight.Inputs, fee: Amount, change: Amount?, weight: Int,
        _ algorithm: CoinSelection.Algorithm
    ) -> CoinSelection {
        // At most 400 000 weight units at 100 000 sat/vB, plus the money supply: far below the integer limit.
        var waste = Int64(inputs.weight) * wastePerWeightUnit
        if change != nil {
            let changeWeight = Int64(weight - withoutChange.weight(inputs))
            waste += slope * changeWeight + longTerm * Int64(selector.changeInputWeight)
        } else if let least = selector.feeDemand.fee(forWeight: weight), let excess = fee.subtracting(least) {
            waste += excess.satoshis * SelectionPool.unitsPerSatoshi
        }
        return CoinSelection(
            indices: indices.sorted(), fee: fee, change: change, weight: weight,
            // Rounded down, also below zero.
            waste: (waste - (waste < 0 ? SelectionPool.unitsPerSatoshi - 1 : 0)) / SelectionPool.unitsPerSatoshi,
            algorithm: algorithm)
    }
}
