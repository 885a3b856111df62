import Bitcoin

/// Payments that may have been made already.
extension CardManager {
    /// Which payees of an order are already paid by a transaction that is signed, at least in part, and not settled. A
    /// server can conceal that transaction, nodes may not have relayed it yet, or others may complete it later; it can
    /// still be mined in addition to the new one.
    ///
    /// Searches the stored transactions that were sent or have a signature, and the unconfirmed ones that spend only
    /// the wallet's coins.
    /// - Parameters:
    ///   - chain: the chain server's last answer about the wallet.
    ///   - unsettledBefore: the transactions that were not settled when the running command began.
    /// - Returns: see `Finding.repetitions(by:on:)`.
    package nonisolated func repetitions(
        in order: WalletOrder, from wallet: WatchWallet, _ chain: WalletChain,
        unsettledBefore: Set<TransactionID> = []
    ) throws(StoreError) -> [Finding] {
        let payees = order.payees
        var earlier: [EarlierPayment] = []
        var seen: Set<TransactionID> = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where summary.isOpen(unsettledBefore: unsettledBefore) {
            guard let stored = try store.readable(summary),
                let payment = EarlierPayment(
                    stored, summary, to: payees, in: store, unsettledBefore: unsettledBefore)
            else { continue }
            // Signed, it may have another id.
            seen.formUnion([stored.id, SigningResult(stored.psbt, added: 0).transaction?.id ?? stored.id])
            earlier.append(payment)
        }
        var findings = Finding.repetitions(by: earlier, on: wallet.network)
        let own = SpendableCoins.ownUnconfirmed(chain)
        for entry in chain.transactions where own.contains(entry.id) && !seen.contains(entry.id) {
            findings += Finding.repetitions(
                entry.transaction.payments(to: payees), by: entry.id, .warning, on: wallet.network
            ) { _ in "which this wallet signed and which is still unconfirmed" }
        }
        return findings
    }

    /// Which payees of a transaction that is to be sent are paid by another one that a chain server was given, or that
    /// was signed by others or in part, after this one was built: then nobody was asked about it. One that spends a coin
    /// of this one's cannot be paid in addition, and sweeps are meant to go to the same address. Nor does it matter what
    /// was built after this one was sent.
    /// - Returns: a warning for each address and transaction; no notices, which must not keep it from being sent where
    ///   nobody can be asked.
    package nonisolated func repetitions(since shown: StoredTransactionReview) throws(StoreError) -> [Finding] {
        let transaction = shown.transaction
        guard let review = shown.review, !transaction.isSweep else { return [] }
        let (payees, coins) = (review.payees, Set(review.inputs.map(\.outpoint)))
        var earlier: [EarlierPayment] = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where summary.id != transaction.id && summary.standing?.freesCoins != true {
            if let sent = transaction.sent, summary.created > sent { continue }
            // When it was signed is not stored: not after its last change.
            guard summary.leftHere ?? summary.updated > transaction.created, let other = try store.readable(summary),
                summary.leftHere != nil || other.psbt.isSigned, other.paysBeside(coins)
            else { continue }
            earlier.append(EarlierPayment(other, summary, to: payees, in: store))
        }
        return Finding.repetitions(by: earlier, on: shown.network).filter { $0.severity == .warning }
    }
}

extension Store {
    /// Which payees of a transaction are paid by another stored one that is signed, at least in part, or was given to a
    /// chain server, and is not settled: it can be mined in addition, whoever built the two. One that spends a coin of
    /// this one's cannot, and sweeps are meant to go to the same address. Nothing is found for one that was sent
    /// itself, or that the chain has or excludes.
    ///
    /// That the user accepted the same when a draft was built changes nothing: the store cannot prove it, as whoever
    /// can write it could write that, too. What a card signed for this store is sent without this question.
    ///
    /// Reads every unsettled transaction once; what cannot be read is left out.
    /// - Parameter unsettledBefore: the transactions that were not settled when the running command began.
    /// - Returns: see `Finding.repetitions(by:on:)`.
    ///
    /// Spec: threats, "The store and what is resumed": what is resumed passes every check that a fresh transaction
    /// passes, and an imported PSBT is never mistaken for our own.
    func repetitions(of review: TransactionReview, unsettledBefore: Set<TransactionID> = []) -> [Finding] {
        let (id, payees) = (review.unsignedTransactionID, review.payees)
        guard !payees.isEmpty, let all = try? transactions(limit: .max, offset: 0) else { return [] }
        if let own = all.first(where: { $0.id == id }), own.sent != nil || own.standing != nil { return [] }
        let others = all.filter { $0.id != id && $0.isOpen(unsettledBefore: unsettledBefore) }
        guard !others.isEmpty, (try? transaction(id))?.isSweep != true else { return [] }
        let coins = Set(review.inputs.map(\.outpoint))
        let earlier = others.compactMap { summary -> EarlierPayment? in
            guard let other = (try? transaction(summary.id)) ?? nil, other.paysBeside(coins) else { return nil }
            return EarlierPayment(other, summary, to: payees, in: self, unsettledBefore: unsettledBefore)
        }
        return Finding.repetitions(by: earlier, on: review.network)
    }

    /// A transaction from the list; `nil` if it was deleted since, or if it cannot be read and no chain server was given
    /// it: a damaged one must not prevent every payment.
    fileprivate func readable(_ summary: TransactionSummary) throws(StoreError) -> StoredTransaction? {
        do throws(StoreError) { return try transaction(summary.id) } catch {
            guard case .unreadable = error, summary.leftHere == nil else { throw error }
            return nil
        }
    }
}

extension WalletOrder {
    /// The scripts of the payees, of the one that gets everything else, too.
    var payees: Set<Script> { Set(payments.map(\.scriptPubKey) + (drain.map { [$0] } ?? [])) }
}

extension TransactionReview {
    /// The scripts of the payees, without those of outputs that have no money.
    var payees: Set<Script> {
        Set(payments.lazy.map(\.output).filter { $0.amount > .zero }.map(\.scriptPubKey))
    }
}

extension StoredTransaction {
    /// Whether the chain can have it beside a transaction that spends these coins, and it is not a sweep, which is meant
    /// to pay an address that others pay.
    fileprivate func paysBeside(_ coins: Set<Outpoint>) -> Bool {
        !isSweep && coins.isDisjoint(with: psbt.unsignedTransaction.inputs.map(\.outpoint))
    }
}
