import Bitcoin
import ExplainedErrors

extension Finding {
    /// What a stored transaction pays some payees: a warning for each of their addresses if a chain server was given it
    /// from here, else a notice.
    /// - Parameter summary: what lists show about the transaction.
    static func repetitions(
        of payees: Set<Script>, by stored: StoredTransaction, _ summary: TransactionSummary, on network: Network
    ) -> [Finding] {
        repetitions(
            of: payees, by: stored.psbt.unsignedTransaction, stored.id, summary.leftHere == nil ? .notice : .warning,
            summary.payingState, on: network)
    }

    /// What a transaction pays some payees, in the order of their scripts.
    /// - Parameters:
    ///   - id: the transaction's, as it is named to the user.
    ///   - state: what became of it, worded to follow the transaction.
    ///   - network: selects the form of addresses.
    static func repetitions(
        of payees: Set<Script>, by transaction: Transaction, _ id: TransactionID, _ severity: Severity,
        _ state: String, on network: Network
    ) -> [Finding] {
        let paid = Dictionary(
            grouping: transaction.outputs.filter { payees.contains($0.scriptPubKey) }, by: \.scriptPubKey)
        return paid.sorted { $0.key.description < $1.key.description }.map { script, outputs in
            let amount = Amount.sum(outputs: outputs).map { "\($0.satoshis) sat" } ?? "an unknown amount"
            let payee = Address(scriptPubKey: script, network: network)?.description ?? "script \(script)"
            return Finding(
                severity, .addressAlreadyPaid, .transaction,
                "\(payee) is already paid \(amount) by the transaction \(id), \(state).")
        }
    }
}

extension TransactionSummary {
    /// Whether it can be mined, as far as is known: it is signed, or a chain server was given it, and the chain has not
    /// settled it.
    var canStillPay: Bool { (leftHere != nil || isComplete) && standing?.isSettled != true }

    /// What became of it, worded to follow “the transaction”.
    fileprivate var payingState: String {
        guard let standing else {
            if sent != nil { return "which was sent and is not known to be confirmed" }
            return offered == nil
                ? "which is signed and could be sent"
                : "which a chain server was given or has reported: it may be on its way"
        }
        let depth = "has \(standing.confirmations.counted("confirmation")) so far, according to the chain server"
        return standing.replacedBy.map { "which was replaced; its replacement \($0) \(depth)" } ?? "which \(depth)"
    }
}
