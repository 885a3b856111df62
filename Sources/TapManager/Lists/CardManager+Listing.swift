import Bitcoin

/// Lists of what is stored, with what people look for in them.
extension CardManager {
    /// The newest stored transactions, newest first, with their payees and who can sign them, and how many there are in
    /// total.
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - skipped: how many of the newest to skip.
    ///   - network: the network whose address form is used; `nil`: that of each transaction.
    package nonisolated func transactionListings(
        limit: Int = .max, skipping skipped: Int = 0, network: Network? = nil
    ) throws(StoreError) -> (listings: [TransactionListing], count: Int) {
        let lister = try TransactionLister(store, network: network)
        let (summaries, count) = try transactions(limit: limit, skipping: skipped)
        return (summaries.map(lister.listing), count)
    }

    /// All wallets, by name, each with a chain server's last answer; `nil` if none was asked about the wallet's
    /// network, or the answer cannot be read.
    package nonisolated func walletListings() throws(StoreError) -> [ManagerSnapshot.Wallet] {
        try store.wallets().map { stored in
            let chain = (try? store.chain(of: stored.name, on: stored.network)) ?? nil
            return ManagerSnapshot.Wallet(stored: stored, synchronization: chain.map(WalletSynchronization.init))
        }
    }
}
