import Bitcoin

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
        var payees = Set(order.payments.map(\.scriptPubKey))
        if let drain = order.drain { payees.insert(drain) }
        var findings: [Finding] = []
        var seen: Set<TransactionID> = []
        for summary in try store.transactions(limit: .max, offset: 0) where summary.canStillPay {
            guard let stored = try store.transaction(summary.id) else { continue }
            // Signed, it may have another id.
            seen.formUnion([stored.id, SigningResult(stored.psbt, added: 0).transaction?.id ?? stored.id])
            findings += Finding.repetitions(of: payees, by: stored, summary, on: wallet.network)
        }
        let own = SpendableCoins.ownUnconfirmed(chain)
        for entry in chain.transactions where own.contains(entry.id) && !seen.contains(entry.id) {
            findings += Finding.repetitions(
                of: payees, by: entry.transaction, entry.id, .warning,
                "which this wallet signed and which is still unconfirmed", on: wallet.network)
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
        let (payees, coins) = (review.payees, Set(review.inputs.map(\.outpoint)))
        var findings: [Finding] = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where summary.id != transaction.id && summary.standing?.freesCoins != true {
            if let sent = transaction.sent, summary.created > sent { continue }
            guard let left = summary.leftHere, left > transaction.created,
                let other = try store.transaction(summary.id), other.paysBeside(coins)
            else { continue }
            findings += Finding.repetitions(of: payees, by: other, summary, on: shown.network)
        }
        return findings
    }
}

extension Store {
    /// Which payees of a transaction are paid by another stored one that is signed or was given to a chain server, and
    /// is not settled: it can be mined in addition, whoever built the two. One that spends a coin of this one's cannot,
    /// and sweeps are meant to go to the same address. Nothing is found for one that was sent itself, or that the chain
    /// has or excludes.
    ///
    /// Reads every such transaction once; what cannot be read is left out.
    /// - Returns: a warning for each address and transaction; a notice if no chain server was given it from here.
    ///
    /// Spec: threats, "The store and what is resumed": an imported PSBT is never mistaken for our own.
    func repetitions(of review: TransactionReview) -> [Finding] {
        let (id, payees) = (review.unsignedTransactionID, review.payees)
        guard !payees.isEmpty, let all = try? transactions(limit: .max, offset: 0) else { return [] }
        if let own = all.first(where: { $0.id == id }), own.sent != nil || own.standing != nil { return [] }
        let others = all.filter { $0.id != id && $0.canStillPay }
        guard !others.isEmpty, (try? transaction(id))?.isSweep != true else { return [] }
        let coins = Set(review.inputs.map(\.outpoint))
        return others.flatMap { summary -> [Finding] in
            guard let other = (try? transaction(summary.id)) ?? nil, other.paysBeside(coins) else { return [] }
            return Finding.repetitions(of: payees, by: other, summary, on: review.network)
        }
    }
}

extension TransactionReview {
    /// The scripts of the payees, without those of outputs that have no money.
    fileprivate var payees: Set<Script> {
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
