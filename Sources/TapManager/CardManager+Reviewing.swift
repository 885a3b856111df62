import Bitcoin

/// What can be told of a transaction without a card.
extension CardManager {
    /// A PSBT as it would be signed, and what can be told of it without a key: by the wallet that the store has it of, or else by
    /// the accounts that one of the cards which the PSBT names has proven. Stores nothing.
    /// - Parameter network: whose addresses are shown; `nil`: the stored transaction's, or what the PSBT's paths say.
    package nonisolated func review(of psbt: PSBT, network: Network? = nil) -> StoredTransactionReview {
        let stored = (try? store.transaction(psbt.unsignedTransaction.id)).flatMap { $0 }
        var transaction = stored ?? StoredTransaction(psbt: psbt, created: now, updated: now)
        // What contradicts the stored one is looked at as it is.
        transaction.psbt = (try? store.addingSignatures(to: psbt)) ?? psbt
        transaction.adopt((try? store.wallet(spentBy: psbt, on: network)) ?? nil)
        return review(of: transaction, network: network)
    }

    /// A review with what the store knows besides: what paid addresses are called, and how high the chain was.
    nonisolated func informed(_ review: TransactionReview) -> TransactionReview {
        var review = review
        let names = ((try? store.labels()) ?? []).filter { $0.type == "addr" && !$0.label.isEmpty }
        let named = Dictionary(names.map { ($0.reference, $0.label) }, uniquingKeysWith: { first, _ in first })
        for address in review.outputs.compactMap(\.address) { review.labels[address] = named["\(address)"] }
        guard !review.isLockOpen(at: now) else { return review }
        let wallets = ((try? store.wallets()) ?? []).filter { $0.network == review.network }
        let heights = wallets.compactMap { (try? store.chain(of: $0.name, on: $0.network))?.height }
        review.knownHeight = heights.max()
        return review
    }
}
