extension TransactionRequest {
    /// A request for a transaction that replaces an unconfirmed one: the same payments at a higher rate, paid out of the
    /// change, and out of further coins when that is not enough. It spends all coins of the old one again, so that only one
    /// of the two can ever be confirmed.
    ///
    /// The new fee is at least the old one plus 1 sat for each virtual byte of the new transaction. Relative lock times
    /// stay: without them, a policy's spending path would not be open any more.
    /// - Parameters:
    ///   - transaction: the old one, signed or not.
    ///   - coins: the coins that it spends, in any order.
    ///   - remainderIndex: the index of the output that may shrink or disappear; `nil` when there is none.
    ///   - remainder: where the new remainder goes: to the old place, or to a new change address. With `.drain`, no further
    ///     coins are spent.
    ///   - ownOutputs: what signers are told about the wallet's own other outputs, by script.
    ///   - furtherCoins: what else may be spent. Unconfirmed ones are left out (BIP-125, rule 2).
    ///   - rate: the new fee rate.
    ///   - descendantFees: the fees of transactions that spend outputs of the old one and are evicted with it.
    /// - Throws: `.notReplaceable`, `.rateNotHigher`, `.noSuchChange`, `.noSuchCoin` for an input without its coin,
    ///   `.duplicateCoin`, `.weightUnknown`, `.amountsOverflow`.
    ///
    /// Spec: BIP-125, "Implementation Details", rules 1 to 4; Bitcoin Core requires a higher rate, too.
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
        if let relativeLock = transaction.relativeLock { sequence = relativeLock }
    }
}

extension Transaction {
    /// The sequence number of the inputs that have a relative lock, the highest if they differ; `nil` if none has one.
    ///
    /// Spec: BIP-68.
    public var relativeLock: UInt32? {
        inputs.lazy.map(\.sequence).filter { TimeLock.relative($0) != nil }.max()
    }
}

/// What is known about a transaction to replace.
private struct ReplacedTransaction {
    /// Its coins, in input order.
    let coins: [Coin]
    let fee: Amount
    /// The signed size, in virtual bytes.
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
