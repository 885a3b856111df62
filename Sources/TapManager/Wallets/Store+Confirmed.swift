import Bitcoin

extension Store {
    /// Deletes transactions of a wallet that were sent and are settled: something deep in the chain spends their coins, they
    /// themselves or what replaced them.
    /// - Parameter forgotten: hears of each transaction that is deleted.
    package func forgetConfirmed(
        of wallet: String, by chain: WalletChain, forgotten: (TransactionID) -> Void = { _ in }
    ) throws(StoreError) {
        let sent = try transactions(limit: .max, offset: 0).filter { $0.wallet == wallet && $0.sent != nil }
        var stored: [StoredTransaction] = []
        for summary in sent { if let transaction = try transaction(summary.id) { stored.append(transaction) } }
        // Only what was signed here settles anything: a server can make up others.
        let own = Set(stored.compactMap { SigningResult($0.psbt, added: 0).transaction?.id })
        let deep = chain.transactions.filter { own.contains($0.id) && $0.isDeep(atHeight: chain.height) }
        let settled = Set(deep.flatMap { $0.transaction.inputs.map(\.outpoint) })
        for transaction in stored
        where transaction.psbt.unsignedTransaction.inputs.contains(where: { settled.contains($0.outpoint) }) {
            if try deleteTransaction(transaction.id) { forgotten(transaction.id) }
        }
    }

    /// Stored transactions that were not sent and never can be: one in a block spends one of their coins.
    package func overtaken(by chain: WalletChain) throws(StoreError) -> [TransactionID] {
        let taken = try takenCoins()
        var overtaken: Set<TransactionID> = []
        for entry in chain.transactions where entry.height != nil {
            for input in entry.transaction.inputs {
                guard let id = taken[input.outpoint], id != entry.id else { continue }
                overtaken.insert(id)
            }
        }
        var unsent: [TransactionID] = []
        for id in overtaken.sorted(by: { $0.description < $1.description }) {
            guard let stored = try transaction(id), stored.sent == nil, !stored.isSpending(like: chain) else {
                continue
            }
            unsent.append(id)
        }
        return unsent
    }
}

extension StoredTransaction {
    /// Whether the chain has this very transaction, whose id changed with its signatures.
    fileprivate func isSpending(like chain: WalletChain) -> Bool {
        let outputs = psbt.unsignedTransaction.outputs
        return chain.transactions.contains { entry in
            entry.height != nil && entry.transaction.outputs == outputs
                && entry.transaction.inputs.map(\.outpoint) == psbt.unsignedTransaction.inputs.map(\.outpoint)
        }
    }
}
