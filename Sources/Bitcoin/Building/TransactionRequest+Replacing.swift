extension TransactionRequest {
    /// A request for a transaction that takes the place of one that is not confirmed yet: the same payments at a higher
    /// rate, out of the change, and out of further coins when that does not suffice. All coins of the old one are spent
    /// again, so that only one of the two can ever be confirmed.
    ///
    /// The new fee is at least the old one and 1 sat for each of the new one's virtual bytes.
    /// - Parameters:
    ///   - transaction: the old one, signed or not.
    ///   - coins: those that it spends, in any order.
    ///   - remainderIndex: the number of its output that may become smaller or go; `nil` when there is none.
    ///   - remainder: where the new one's remainder goes: where the old one's went, or a new change address. With `.drain`
    ///     no further coins are spent.
    ///   - ownOutputs: what a signer is told of other outputs that are the wallet's own, by their scripts.
    ///   - furtherCoins: what else may be spent. Unconfirmed ones are left out (BIP-125, rule 2).
    ///   - rate: the new fee rate.
    ///   - descendantFees: what transactions pay that spend outputs of the old one, and are thrown out with it.
    /// - Throws: `.notReplaceable`, `.rateNotHigher`, `.noSuchChange`, `.noSuchCoin` for an input without its coin,
    ///   `.duplicateCoin`, `.weightUnknown`, `.amountsOverflow`.
    ///
    /// Spec: BIP-125, "Implementation Details", rules 1 to 4; Bitcoin Core asks for a higher rate, too.
    public init(
        replacing transaction: Transaction, spending coins: [Coin], remainderIndex: Int?, remainder: Remainder,
        ownOutputs: [Script: SpendingInformation] = [:], furtherCoins: [Coin] = [], rate: FeeRate,
        descendantFees: Amount = .zero
    ) throws(BuildingError) {
        guard transaction.inputs.contains(where: { $0.sequence <= Self.replaceableSequence }) else {
            throw .notReplaceable
        }
        let old = try ReplacedTransaction(transaction, spending: coins)
        if let oldRate = FeeRate(fee: old.fee, virtualSize: old.virtualSize), rate <= oldRate {
            throw .rateNotHigher(than: oldRate)
        }
        if let remainderIndex, !transaction.outputs.indices.contains(remainderIndex) {
            throw .noSuchChange(remainderIndex)
        }
        guard let replacedFees = old.fee.adding(descendantFees) else { throw .amountsOverflow }
        var payments: [Payment] = []
        for (index, output) in transaction.outputs.enumerated() where index != remainderIndex {
            guard let amount = output.amount else { throw .amountsOverflow }
            payments.append(
                ownOutputs[output.scriptPubKey].map { Payment(to: $0, amount: amount) }
                    ?? Payment(to: output.scriptPubKey, amount: amount))
        }
        var offered = old.coins
        if case .change = remainder {
            let spent = Set(old.coins.map(\.outpoint))
            offered += furtherCoins.filter { $0.isConfirmed && !spent.contains($0.outpoint) }
        }
        self.init(
            coins: offered, payments: payments, remainder: remainder,
            feeDemand: .replacing(fee: replacedFees, rate: rate))
        requiredCoins = Set(old.coins.map(\.outpoint))
    }
}

/// What is known of a transaction that shall be replaced.
private struct ReplacedTransaction {
    /// Its coins, in the order of its inputs.
    let coins: [Coin]
    let fee: Amount
    /// In virtual bytes, signed.
    let virtualSize: Int

    init(_ transaction: Transaction, spending coins: [Coin]) throws(BuildingError) {
        var known: [Outpoint: Coin] = [:]
        for coin in coins {
            guard known.updateValue(coin, forKey: coin.outpoint) == nil else { throw .duplicateCoin(coin.outpoint) }
        }
        var spent: [Coin] = []
        var inputs = TransactionWeight.Inputs()
        for input in transaction.inputs {
            guard let coin = known[input.outpoint] else { throw .noSuchCoin(input.outpoint) }
            spent.append(coin)
            inputs.add(try coin.candidate(isRequired: true))
        }
        var paid = Amount.zero
        for output in transaction.outputs {
            guard let amount = output.amount, let sum = paid.adding(amount) else { throw .amountsOverflow }
            paid = sum
        }
        guard let taken = Amount.sum(spent.lazy.map(\.amount)), let fee = taken.subtracting(paid) else {
            throw .amountsOverflow
        }
        self.coins = spent
        self.fee = fee
        let isSigned = transaction.inputs.allSatisfy { !$0.scriptSig.isEmpty || !$0.witness.isEmpty }
        let weight =
            isSigned ? transaction.weight : TransactionWeight(transaction.outputs).weight(inputs)
        virtualSize = (weight + 3) / 4
    }
}
