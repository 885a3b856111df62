import Bitcoin
import ExplainedErrors

/// What a stored transaction that can be mined, as far as is known, pays some payees.
struct EarlierPayment {
    /// The outputs that pay them.
    let outputs: [TransactionOutput]
    /// What lists show about the transaction.
    let summary: TransactionSummary
    /// Whether it is settled only since the running command began, according to a server.
    private let isJustSettled: Bool
    /// Whether a stored wallet owns what it spends. Its transactions lose its name when it is removed, and do not get it
    /// back when it is added again.
    private let isOfWallet: Bool
    /// Whether every signature exists, and some were not made for this store, as far as is known.
    private let isCompleteElsewhere: Bool

    /// A payment that counts however deep it is.
    init(_ stored: StoredTransaction, _ summary: TransactionSummary, to payees: Set<Script>, in store: any Store) {
        self.init(stored, summary, to: payees, in: store, isJustSettled: false)
    }

    private init(
        _ stored: StoredTransaction, _ summary: TransactionSummary, to payees: Set<Script>, in store: any Store,
        isJustSettled: Bool
    ) {
        outputs = stored.psbt.unsignedTransaction.payments(to: payees)
        self.summary = summary
        self.isJustSettled = isJustSettled
        isOfWallet =
            summary.wallet != nil
            || !outputs.isEmpty && ((try? store.wallet(spentBy: stored.psbt, on: summary.network)) ?? nil) != nil
        isCompleteElsewhere = !outputs.isEmpty && summary.isComplete && store.hasOthersSignatures(stored)
    }

    /// - Parameters:
    ///   - store: shows which signatures were made for it.
    ///   - unsettledBefore: the transactions that were not settled when the running command began. A payment that a
    ///     server calls settled only while it runs stays a notice: a server that conceals it could say so just before
    ///     the user would be asked whether to pay again.
    /// - Returns: `nil` if it was settled before, or if nobody has signed it and no chain server was given it.
    init?(
        _ stored: StoredTransaction, _ summary: TransactionSummary, to payees: Set<Script>, in store: any Store,
        unsettledBefore: Set<TransactionID>
    ) {
        guard summary.leftHere != nil || stored.psbt.isSigned, summary.isOpen(unsettledBefore: unsettledBefore) else {
            return nil
        }
        self.init(stored, summary, to: payees, in: store, isJustSettled: summary.isSettled)
    }

    /// Whether nothing is known about it but that it is signed: programs that send for themselves never say so.
    var isOnlySigned: Bool { summary.leftHere == nil && summary.standing == nil }

    /// A warning if a chain server was given it, or if others can send it at any time: they can complete it, or they have
    /// signed it. A notice if only this store's signers have signed, all of it, and no server was given it, as far as is
    /// known; if a server has just called it settled; and if it is of no stored wallet: programs that complete and send
    /// for themselves leave many like it.
    var severity: Finding.Severity {
        if isJustSettled { return .notice }
        if summary.leftHere != nil { return .warning }
        return !isOfWallet || summary.isComplete && !isCompleteElsewhere ? .notice : .warning
    }

    var payees: Set<Script> { Set(outputs.map(\.scriptPubKey)) }

    /// What became of it, worded to follow “the transaction”.
    var state: String {
        guard let standing = summary.standing else {
            if summary.sent != nil { return "which was sent and is not known to be confirmed" }
            if summary.offered != nil {
                return "which a chain server was given or has reported: it may be on its way"
            }
            let end = "can send it at any time, unless another transaction spends one of its coins"
            guard summary.isComplete else { return "which is signed in part: whoever can add the rest \(end)" }
            return isOfWallet && isCompleteElsewhere
                ? "which is signed, and others may have it: whoever has a copy \(end)"
                : "which is signed and could be sent"
        }
        let depth = "has \(standing.confirmations.counted("confirmation")) so far, according to the chain server"
        return standing.replacedBy.map { "which was replaced; its replacement \($0) \(depth)" } ?? "which \(depth)"
    }
}

extension TransactionSummary {
    /// Whether the chain has settled it, as far as is known.
    var isSettled: Bool { standing?.isSettled ?? false }

    /// Whether it is not settled, or was not when the running command began.
    /// - Parameter unsettledBefore: the transactions that were not settled then.
    func isOpen(unsettledBefore: Set<TransactionID>) -> Bool { !isSettled || unsettledBefore.contains(id) }
}

extension Store {
    /// The transactions that the chain has not settled, as far as is known now.
    func unsettledTransactions() throws(StoreError) -> Set<TransactionID> {
        Set(try transactions(limit: .max, offset: 0).lazy.filter { !$0.isSettled }.map(\.id))
    }

    /// Whether a stored transaction has a signature that was not made for this store: whoever made it may have a copy
    /// with every signature. What is final does not show who signed. What cannot be read was not made here.
    fileprivate func hasOthersSignatures(_ stored: StoredTransaction) -> Bool {
        let made = (try? signaturesMadeHere(for: stored.id)) ?? [:]
        return stored.psbt.inputs.enumerated().contains { index, input in
            input.isFinal || input.partialSignatures.contains { made[index]?.contains($0) != true }
        }
    }
}

extension PSBT {
    /// Whether somebody has signed an input, validly or not. Which keys the PSBT names does not matter.
    var isSigned: Bool {
        inputs.indices.contains { index in
            inputs[index].isFinal || !inputs[index].partialSignatures.isEmpty
                || (try? sighashTypes(ofInput: index))?.isEmpty == false
        }
    }
}
