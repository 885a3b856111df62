import Bitcoin

extension Store {
    /// Blocks on top of a transaction, its own included, after which nobody expects it to vanish.
    private static var safeDepth: Int { 6 }

    /// Deletes transactions of a wallet that were sent and are settled: something deep in the chain spends their coins, they
    /// themselves or what replaced them.
    public func forgetConfirmed(of wallet: String, by chain: WalletChain) throws(StoreError) {
        var settled: Set<Outpoint> = []
        for entry in chain.transactions {
            guard let height = entry.height, chain.height - height + 1 >= Self.safeDepth else { continue }
            settled.formUnion(entry.transaction.inputs.map(\.outpoint))
        }
        guard !settled.isEmpty else { return }
        for summary in try transactions(limit: .max, offset: 0) where summary.wallet == wallet && summary.sent != nil {
            guard let stored = try transaction(summary.id),
                stored.psbt.unsignedTransaction.inputs.contains(where: { settled.contains($0.outpoint) })
            else { continue }
            _ = try deleteTransaction(summary.id)
        }
    }
}
