import Bitcoin

/// Transactions that a person orders.
extension CardManager {
    /// Builds a wallet's transaction and stores it, unsigned. Before somebody is paid to whom a payment may be on its way
    /// already, that is confirmed (`Question.payAgain`).
    /// - Parameter chain: what a chain server said about the wallet last.
    /// - Throws: `StoreError`, why it cannot be built (`ErrorCode.insufficientFunds`, …), and what the interaction throws;
    ///   nothing is stored then.
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
    /// Whether a transaction spends one of the wallet's coins that is in no block: whoever paid it may take it back.
    func isUnconfirmedCoinSpent(by transaction: Transaction) -> Bool {
        let waiting = Set(coins.filter { $0.height == nil }.map(\.outpoint))
        return transaction.inputs.contains { waiting.contains($0.outpoint) }
    }
}
