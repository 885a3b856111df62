import Bitcoin

/// Transactions that the user orders.
extension CardManager {
    /// Builds a wallet's transaction and stores it, unsigned. If a payment to a payee may be on its way already, asks
    /// first (`Question.payAgain`).
    /// - Parameter chain: the chain server's last answer about the wallet.
    /// - Throws: `StoreError`, why it cannot be built (`ErrorCode.insufficientFunds`, …), and what the interaction
    ///   throws; nothing is stored then.
    public nonisolated func prepare(
        _ order: WalletOrder, from opened: OpenedWallet, _ chain: WalletChain
    ) async throws -> StoredTransaction {
        let repeated = try repetitions(in: order, from: opened.wallet, chain)
        if repeated.contains(where: { $0.severity != .notice }) {
            try await interaction.confirm(.payAgain(repeated))
        } else if !repeated.isEmpty {
            interaction.notice(.findings(repeated))
        }
        var generator = SystemRandomNumberGenerator()
        let stored = try create(order, from: opened.wallet, chain, using: &generator)
        if order.allowsUnconfirmed, chain.isUnconfirmedCoinSpent(by: stored.psbt.unsignedTransaction) {
            interaction.notice(.spendsUnconfirmed)
        }
        return stored
    }
}

extension WalletChain {
    /// Whether a transaction spends an unconfirmed coin of the wallet, which its sender may take back.
    func isUnconfirmedCoinSpent(by transaction: Transaction) -> Bool {
        let waiting = Set(coins.filter { $0.height == nil }.map(\.outpoint))
        return transaction.inputs.contains { waiting.contains($0.outpoint) }
    }
}
