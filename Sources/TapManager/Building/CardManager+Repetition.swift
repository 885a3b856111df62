import Bitcoin
import ExplainedErrors

/// Payments that may have been made already.
extension CardManager {
    /// Which payees of an order are already paid by a signed transaction that is not settled. A server can conceal that
    /// transaction, or nodes may not have relayed it yet; it can still be mined in addition to the new one.
    ///
    /// Searches the stored transactions that were or could be sent, and the unconfirmed ones that spend only the
    /// wallet's coins.
    /// - Parameter chain: the chain server's last answer about the wallet.
    /// - Returns: a warning for each address and transaction; a notice if no chain server was given it from here.
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
            findings += Self.repetitions(
                payees, stored.psbt.unsignedTransaction, stored.id, summary.leftHere == nil ? .notice : .warning,
                Self.state(summary), wallet.network)
        }
        let own = SpendableCoins.ownUnconfirmed(chain)
        for entry in chain.transactions where own.contains(entry.id) && !seen.contains(entry.id) {
            findings += Self.repetitions(
                payees, entry.transaction, entry.id, .warning,
                "which this wallet signed and which is still unconfirmed",
                wallet.network)
        }
        return findings
    }

    /// Which payees of a transaction that is to be sent are paid by another one that a chain server was given after this one
    /// was built: then nobody was asked about it. One that spends a coin of this one's cannot be paid in addition, and sweeps
    /// are meant to go to the same address. Nor does it matter what was built after this one was sent.
    /// - Returns: a warning for each address and transaction.
    package nonisolated func repetitions(since shown: StoredTransactionReview) throws(StoreError) -> [Finding] {
        let transaction = shown.transaction
        guard let review = shown.review, !transaction.isSweep else { return [] }
        let payees = review.payments.map(\.output.scriptPubKey)
        let coins = Set(transaction.psbt.unsignedTransaction.inputs.map(\.outpoint))
        var findings: [Finding] = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where summary.id != transaction.id && summary.standing?.freesCoins != true {
            if let sent = transaction.sent, summary.created > sent { continue }
            guard let left = summary.leftHere, left > transaction.created,
                let other = try store.transaction(summary.id), !other.isSweep,
                coins.isDisjoint(with: other.psbt.unsignedTransaction.inputs.map(\.outpoint))
            else { continue }
            findings += Self.repetitions(
                payees, other.psbt.unsignedTransaction, other.id, .warning, Self.state(summary), shown.network)
        }
        return findings
    }

    private nonisolated static func state(_ summary: TransactionSummary) -> String {
        guard let standing = summary.standing else {
            if summary.sent != nil { return "which was sent but is still unconfirmed" }
            return summary.offered == nil
                ? "which is signed and could be sent"
                : "which a chain server was given, but did not confirm to have taken: it may be on its way"
        }
        let depth = "has \(standing.confirmations.counted("confirmation")) so far, according to the chain server"
        return standing.replacedBy.map { "which was replaced; its replacement \($0) \(depth)" } ?? "which \(depth)"
    }

    private nonisolated static func repetitions(
        _ payees: [Script], _ transaction: Transaction, _ id: TransactionID, _ severity: Finding.Severity,
        _ state: String, _ network: Network
    ) -> [Finding] {
        Set(payees).sorted { $0.description < $1.description }.compactMap { script in
            let paid = transaction.outputs.filter { $0.scriptPubKey == script }
            guard !paid.isEmpty else { return nil }
            let amount = Amount.sum(outputs: paid).map { "\($0.satoshis) sat" } ?? "an unknown amount"
            let payee = Address(scriptPubKey: script, network: network)?.description ?? "script \(script)"
            return Finding(
                severity, .addressAlreadyPaid, .transaction,
                "\(payee) is already paid \(amount) by the transaction \(id), \(state).")
        }
    }
}
