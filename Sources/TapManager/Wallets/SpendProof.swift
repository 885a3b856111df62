import Bitcoin
import ChainData

/// Proves that transactions which spend a wallet's coins carry the signatures for it. Anybody can write down a transaction
/// that spends somebody's coin; who believes it takes his money for gone, and pays once more.
///
/// The scripts of the inputs that spend the wallet's coins are run, each against the output that it spends. The other
/// inputs are somebody else's.
/// Spec: threats, "The chain server".
struct SpendProof: Sendable {
    /// The wallet's scripts.
    private let scripts: Set<Script>
    private let told: ToldTransactions
    /// Transactions whose spends were proven earlier.
    private let provenTransactions: Set<TransactionID>
    /// Coins whose spends by those were.
    private let provenCoins: Set<Outpoint>

    /// - Parameters:
    ///   - told: where the outputs that are spent are looked for.
    ///   - known: an earlier answer. What it proves is not proven again, for the same transactions: those, with their
    ///     witnesses, on which the id says nothing.
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

    /// The inputs that spend coins of the wallet's, and are not proven yet.
    private func unproven(_ id: TransactionID, _ transaction: Transaction) -> [Int] {
        transaction.inputs.indices.filter { index in
            let outpoint = transaction.inputs[index].outpoint
            guard let output = told.output(outpoint), scripts.contains(output.scriptPubKey) else { return false }
            return !(provenTransactions.contains(id) && provenCoins.contains(outpoint))
        }
    }

    /// The coins whose outputs must be known besides: those of all inputs, where one spends a taproot coin of the wallet's,
    /// whose signature is over all of them (BIP-341).
    func missing(for id: TransactionID, _ transaction: Transaction) -> [Outpoint] {
        let isTaproot = unproven(id, transaction).contains { index in
            told.output(transaction.inputs[index].outpoint)?.scriptPubKey.witnessProgram?.version == 1
        }
        guard isTaproot else { return [] }
        return transaction.inputs.map(\.outpoint).filter { told.output($0) == nil }
    }

    /// Confirms that each input which spends a coin of the wallet's may do so.
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
                    "the transaction \(id) spends \(transaction.inputs[index].outpoint), and whoever may spend that did not "
                        + "sign it (\(error))")
            }
        }
    }
}
