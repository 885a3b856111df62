import Bitcoin

/// Transactions that a chain server reported, each matching its id, and what they spend from one another.
struct ToldTransactions: Sendable {
    private var transactions: [TransactionID: Transaction]

    /// - Parameter transactions: by their ids, which are their hashes.
    init(_ transactions: [TransactionID: Transaction] = [:]) { self.transactions = transactions }

    /// The transactions in a server's answer about a wallet.
    init(_ chain: WalletChain?) {
        transactions = Dictionary(
            (chain?.transactions ?? []).map { ($0.id, $0.transaction) }, uniquingKeysWith: { first, _ in first })
    }

    /// A transaction, if it is here.
    subscript(id: TransactionID) -> Transaction? {
        get { transactions[id] }
        set { transactions[id] = newValue }
    }

    /// An output, if its transaction is here and has it.
    func output(_ outpoint: Outpoint) -> TransactionOutput? {
        guard let outputs = transactions[outpoint.transactionID]?.outputs, let index = Int(exactly: outpoint.index),
            outputs.indices.contains(index)
        else { return nil }
        return outputs[index]
    }

    /// Every script that a transaction pays or, as far as is known here, spends from.
    func touched(by transaction: Transaction) -> Set<Script> {
        var scripts = Set(transaction.outputs.map(\.scriptPubKey))
        for input in transaction.inputs {
            if let output = output(input.outpoint) { scripts.insert(output.scriptPubKey) }
        }
        return scripts
    }
}
