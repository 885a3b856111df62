import Bitcoin

/// Payments that may have been made already.
extension CardManager {
    /// Who of those that an order pays is paid already by a signed transaction that is not settled. A server can keep quiet
    /// about that transaction, or nodes may not have passed it on yet; it can still be put in a block, beside the new one.
    ///
    /// Looked for among the stored transactions that were sent or could be, and among the unconfirmed ones that spend the
    /// wallet's coins alone.
    /// - Parameter chain: what a chain server said about the wallet last.
    /// - Returns: a warning for each address and transaction; a notice where it was not sent from here.
    package nonisolated func repetitions(
        in order: WalletOrder, from wallet: WatchWallet, _ chain: WalletChain
    ) throws(StoreError) -> [Finding] {
        var payees = order.payments.map(\.scriptPubKey)
        if let drain = order.drain { payees.append(drain) }
        var findings: [Finding] = []
        var seen: Set<TransactionID> = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where (summary.sent != nil || summary.isComplete) && summary.standing?.isSettled != true {
            guard let stored = try store.transaction(summary.id) else { continue }
            // Signed, it may have another id.
            seen.formUnion([stored.id, SigningResult(stored.psbt, added: 0).transaction?.id ?? stored.id])
            let (severity, state): (Finding.Severity, String) =
                summary.sent == nil
                ? (.notice, "which is signed and could be sent") : (.warning, "which was sent and is not settled yet")
            findings += Self.repetitions(
                payees, stored.psbt.unsignedTransaction, stored.id, severity, state, wallet.network)
        }
        let own = SpendableCoins.ownUnconfirmed(chain)
        for entry in chain.transactions where own.contains(entry.id) && !seen.contains(entry.id) {
            findings += Self.repetitions(
                payees, entry.transaction, entry.id, .warning,
                "which this wallet's keys signed and which is in no block yet",
                wallet.network)
        }
        return findings
    }

    private nonisolated static func repetitions(
        _ payees: [Script], _ transaction: Transaction, _ id: TransactionID, _ severity: Finding.Severity,
        _ state: String, _ network: Network
    ) -> [Finding] {
        Set(payees).sorted { $0.description < $1.description }.compactMap { script in
            let paid = transaction.outputs.filter { $0.scriptPubKey == script }
            guard !paid.isEmpty else { return nil }
            let amount = Amount.sum(outputs: paid).map(\.description) ?? "an unknown amount"
            let payee = Address(scriptPubKey: script, network: network)?.description ?? "script \(script)"
            return Finding(
                severity, .addressAlreadyPaid, .transaction,
                "\(payee) is already paid \(amount) by the transaction \(id), \(state).")
        }
    }
}
