/// How servers say that they do not take a transaction.
enum Rejection {
    /// Whether the reason is that the transaction is in the mempool or in a block already, which is what was wanted.
    static func isAlreadyKnown(_ reason: String) -> Bool {
        let reason = reason.lowercased()
        return [
            "txn-already-in-mempool", "txn-already-known", "txn-same-nonwitness-data-in-mempool",
            "transaction already in block chain", "transaction outputs already in utxo set",
            "transaction already in mempool",
        ].contains { reason.contains($0) }
    }
}
