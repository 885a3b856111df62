import Bitcoin

/// Transactions that the user orders.
extension CardManager {
    /// Builds a wallet's transaction and stores it, unsigned. Its chain server is asked about the wallet and, if the
    /// order has no fee rate, for one, of which a notice informs; without a server, the last known answer about the
    /// wallet counts, and a rate is required. If a payment to a payee may be on its way already, asks first
    /// (`Question.payAgain`); the server is asked about those that belong to no wallet before. Of a payment that it
    /// calls settled only now, a notice informs. If everything is to be paid and coins stay behind, a notice says
    /// which.
    /// - Throws: errors of synchronizing a wallet and of asking for a fee rate (`ErrorCode.feeNeeded` if there is none,
    ///   `ErrorCode.feeTooHigh` for a rate too high to accept from a server), `StoreError`, why it cannot be built
    ///   (`ErrorCode.insufficientFunds`, …), and what the interaction throws; nothing is stored then.
    public nonisolated func prepare(
        _ order: WalletOrder, from opened: OpenedWallet
    ) async throws -> StoredTransaction {
        let unsettled = try store.unsettledTransactions()
        let (chain, rate) = try await self.chain.during { _ in
            let answer = (try await self.chain(of: opened), try await feeRate(order.fee, on: opened.wallet.network))
            try await followPayments(to: order.payees, network: opened.wallet.network)
            return answer
        }
        let found = try repetitions(in: order, from: opened.wallet, chain, unsettledBefore: unsettled)
        // Front ends show only the first of many.
        let repeated = found.filter { $0.severity != .notice } + found.filter { $0.severity == .notice }
        if repeated.contains(where: { $0.severity != .notice }) {
            try await interaction.confirm(.payAgain(repeated))
        } else if !repeated.isEmpty {
            interaction.notice(.findings(repeated))
        }
        var generator = SystemRandomNumberGenerator()
        let stored = try create(order, at: rate, from: opened.wallet, chain, using: &generator)
        if order.allowsUnconfirmed, chain.isUnconfirmedCoinSpent(by: stored.psbt.unsignedTransaction) {
            interaction.notice(.spendsUnconfirmed)
        }
        if order.drain != nil, order.coins == nil, let staying = try coinsLeftBehind(by: stored, chain) {
            interaction.notice(.coinsStay(staying))
        }
        return stored
    }

    /// What a stored payment of everything leaves in its wallet.
    private nonisolated func coinsLeftBehind(
        by stored: StoredTransaction, _ chain: WalletChain
    ) throws(StoreError) -> CoinsLeftBehind? {
        CoinsLeftBehind(
            of: chain, after: stored.psbt.unsignedTransaction, taken: Set(try store.takenCoins().keys),
            frozen: try store.frozenCoins())
    }
}

extension WalletChain {
    /// Whether a transaction spends an unconfirmed coin of the wallet that comes from others, who may take it back.
    func isUnconfirmedCoinSpent(by transaction: Transaction) -> Bool {
        let own = SpendableCoins.ownUnconfirmed(self)
        let waiting = Set(
            coins.filter { $0.height == nil && !own.contains($0.outpoint.transactionID) }.map(\.outpoint))
        return transaction.inputs.contains { waiting.contains($0.outpoint) }
    }
}
