import Bitcoin
import ChainData

/// Proves that transactions which spend a wallet's coins have valid signatures for them. Anyone can write a transaction
/// that spends someone's coin; a user who believes it takes the money for gone, and pays again.
///
/// Runs the scripts of the inputs that spend the wallet's coins, each against the output it spends. The other inputs
/// belong to others. Spec: threats, "The chain server".
struct SpendProof: Sendable {
    /// The wallet's scripts.
    private let scripts: Set<Script>
    private let told: ToldTransactions
    /// Transactions whose spends were proven before.
    private let provenTransactions: Set<TransactionID>
    /// Coins that those transactions spend.
    private let provenCoins: Set<Outpoint>

    /// - Parameters:
    ///   - told: has the spent outputs.
    ///   - known: an earlier answer. What it proves is not proven again, for the same transactions: their witnesses
    ///     must match, too, as ids do not cover them.
    init(of scripts: Set<Script>, in told: ToldTransactions, known: WalletChain? = nil) {
        self.scripts = scripts
        self.told = told
        guard let known, known.areSpendsProven else {
            (provenTransactions, provenCoins) = ([], [])
            return
        }
        let before = Set(known.scripts.map(\.script))
        let transactions = ToldTransactions(known)
        provenTransactions = Set(known.transactions.map(\.id))
        provenCoins = Set(
            known.transactions.lazy.flatMap { $0.transaction.inputs.map(\.outpoint) }.filter { outpoint in
                transactions.output(outpoint).map { before.contains($0.scriptPubKey) } ?? false
            })
    }

    /// The inputs that spend the wallet's coins, and are not proven yet.
    private func unproven(_ id: TransactionID, _ transaction: Transaction) -> [Int] {
        transaction.inputs.indices.filter { index in
            let outpoint = transaction.inputs[index].outpoint
            guard let output = told.output(outpoint), scripts.contains(output.scriptPubKey) else { return false }
            return !(provenTransactions.contains(id) && provenCoins.contains(outpoint))
        }
    }

    /// The coins whose outputs must also be known: those of all inputs if one spends a taproot coin of the wallet,
    /// whose signature covers all of them (BIP-341).
    func missing(for id: TransactionID, _ transaction: Transaction) -> [Outpoint] {
        let isTaproot = unproven(id, transaction).contains { index in
            told.output(transaction.inputs[index].outpoint)?.scriptPubKey.witnessProgram?.version == 1
        }
        guard isTaproot else { return [] }
        return transaction.inputs.map(\.outpoint).filter { told.output($0) == nil }
    }

    /// Confirms that each input which spends a coin of the wallet is valid.
    /// - Parameter others: outputs of other transactions, for `missing(for:_:)`.
    /// - Throws: `.liar`, with the id.
    func verify(
        _ id: TransactionID, _ transaction: Transaction, others: [Outpoint: TransactionOutput] = [:]
    ) throws(ChainError) {
        let inputs = unproven(id, transaction)
        guard !inputs.isEmpty else { return }
        let unknown = TransactionOutput(value: 0, scriptPubKey: Script())
        let spent = transaction.inputs.map { told.output($0.outpoint) ?? others[$0.outpoint] ?? unknown }
        guard var verifier = SpendVerifier(transaction, spentOutputs: spent) else {
            throw .liar("the transaction \(id) spends nothing")
        }
        for index in inputs {
            do throws(ScriptFailure) { try verifier.verify(input: index) } catch {
                throw .liar(
                    "the transaction \(id) spends \(transaction.inputs[index].outpoint) without a valid signature "
                        + "(\(error))")
            }
        }
    }
}
