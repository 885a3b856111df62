/// How servers report that they reject a transaction.
enum Rejection {
    /// Whether the reason is that the transaction is already in the mempool or a block, which counts as success.
    static func isAlreadyKnown(_ reason: String) -> Bool {
        let reason = reason.lowercased()
        return [
            "txn-already-in-mempool", "txn-already-known", "txn-same-nonwitness-data-in-mempool",
            "transaction already in block chain", "transaction outputs already in utxo set",
            "transaction already in mempool",
        ].contains { reason.contains($0) }
    }
}
