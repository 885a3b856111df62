import Bitcoin

/// A chain that exists only while a rehearsal runs: a few coins in one block, and the rules by which nodes decide
/// whether a transaction may be in a block. Every ten minutes has a block, from the beginning of 1970 on.
struct PretendChain: Sendable {
    /// Why a transaction cannot be in a block.
    enum Objection: Error, Equatable {
        /// There is no such coin.
        case noSuchCoin(Outpoint)
        /// It pays more than it spends, or more money than there is.
        case amounts
        /// Its lock time has not passed yet.
        case notFinal
        /// The coin of this input is too young for its sequence number.
        case tooYoung(input: Int)
        /// The scripts of this input do not spend its coin.
        case scripts(input: Int, ScriptFailure)

        /// The reason, as a sentence without its period.
        var words: String {
            switch self {
            case .noSuchCoin(let outpoint): "there is no coin \(outpoint)"
            case .amounts: "it pays more than it spends"
            case .notFinal: "its lock time has not passed"
            case .tooYoung: "its coin is too young"
            case .scripts(let input, let failure): "the scripts of input \(input) do not spend its coin (\(failure))"
            }
        }
    }

    /// The height of the block that has the coins.
    static let coinHeight = 1

    private let coins: [Outpoint: TransactionOutput]

    /// - Parameter coins: what there is to spend, all in one block.
    init(_ coins: [Outpoint: TransactionOutput]) { self.coins = coins }

    /// The time that counts for locks after a block, in seconds since 1970.
    ///
    /// Spec: BIP-113.
    static func medianTime(_ height: Int) -> Int64 { Int64(height) * TimeLock.secondsPerBlock }

    /// The height of the last block before the first one in which terms allow to spend the coins, as the terms say it.
    static func height(opening terms: SpendingTerms) -> Int {
        let passed = terms.after.map { lock in
            TimeLock.isDate(lock) ? Int(Int64(lock) / TimeLock.secondsPerBlock) + 1 : Int(lock)
        }
        let ages = terms.older.map { lock in
            let count = Int64(TimeLock.count(lock))
            guard TimeLock.isTime(lock) else { return coinHeight + Int(count) - 1 }
            let seconds = medianTime(coinHeight - 1) + count * TimeLock.secondsPerUnit
            return Int((seconds + TimeLock.secondsPerBlock - 1) / TimeLock.secondsPerBlock)
        }
        return (passed + ages + [coinHeight]).max() ?? coinHeight
    }

    /// Why a transaction cannot be in the block after one of this height; `nil`: it can.
    ///
    /// Spec: BIP-65, BIP-68, BIP-113; Bitcoin Core, `IsFinalTx`, `CalculateSequenceLocks`.
    func objection(to transaction: Transaction, after height: Int) -> Objection? {
        var spent: [TransactionOutput] = []
        for input in transaction.inputs {
            guard let coin = coins[input.outpoint] else { return .noSuchCoin(input.outpoint) }
            spent.append(coin)
        }
        guard let paid = Amount.sum(outputs: transaction.outputs), let had = Amount.sum(outputs: spent), paid <= had
        else {
            return .amounts
        }
        guard Self.isFinal(transaction, after: height) else { return .notFinal }
        for (index, input) in transaction.inputs.enumerated()
        where transaction.version >= 2 && !Self.isOldEnough(input.sequence, after: height) {
            return .tooYoung(input: index)
        }
        guard let failures = Self.failures(of: transaction, spending: spent) else { return .amounts }
        return failures.enumerated().lazy.compactMap { index, failure in
            failure.map { Objection.scripts(input: index, $0) }
        }.first
    }

    /// Why the scripts of each input do not spend its coin, whatever the height; `nil` for an input: they do.
    /// - Returns: `nil` for a transaction without inputs, or if one of the coins does not exist.
    func scriptFailures(of transaction: Transaction) -> [ScriptFailure?]? {
        let spent = transaction.inputs.compactMap { coins[$0.outpoint] }
        guard spent.count == transaction.inputs.count else { return nil }
        return Self.failures(of: transaction, spending: spent)
    }

    private static func failures(
        of transaction: Transaction, spending spent: [TransactionOutput]
    ) -> [ScriptFailure?]? {
        guard var verifier = SpendVerifier(transaction, spentOutputs: spent) else { return nil }
        return transaction.inputs.indices.map { index -> ScriptFailure? in
            do throws(ScriptFailure) { try verifier.verify(input: index, rules: rules) } catch { return error }
            return nil
        }
    }

    /// What nodes demand beside consensus before they pass a transaction on.
    private static let rules = PSBT.policyRules.union(.noUpgradable)

    private static func isFinal(_ transaction: Transaction, after height: Int) -> Bool {
        let lock = transaction.lockTime
        guard lock > 0, transaction.inputs.contains(where: { $0.sequence != TimeLock.final }) else { return true }
        return TimeLock.isDate(lock) ? Int64(lock) < medianTime(height) : Int(lock) < height + 1
    }

    private static func isOldEnough(_ sequence: UInt32, after height: Int) -> Bool {
        guard let count = TimeLock.relative(sequence) else { return true }
        guard TimeLock.isTime(sequence) else { return coinHeight + Int(count) <= height + 1 }
        return medianTime(coinHeight - 1) + Int64(count) * TimeLock.secondsPerUnit <= medianTime(height)
    }
}
