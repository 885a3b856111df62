import Bitcoin

/// Reviewing transactions without a card.
extension CardManager {
    /// A PSBT as it would be signed, and what is known about it without a card: from its wallet in the store, or else
    /// from the proven accounts of a card that the PSBT names. Stores nothing.
    ///
    /// Inputs that are final no longer show whose keys they are. If the store has the transaction, its PSBT shows it.
    /// - Parameter network: the network whose address form is used; `nil`: the stored transaction's, or the one that
    ///   the PSBT's paths show.
    public nonisolated func review(of psbt: PSBT, network: Network? = nil) -> StoredTransactionReview {
        let stored = (try? store.transaction(psbt.unsignedTransaction.id)).flatMap { $0 }
        var transaction = stored ?? StoredTransaction(psbt: psbt, created: now, updated: now)
        let isStoredOneClearer =
            psbt.isFinalized && (try? store.check(psbt)) != nil && SignatureTally(transaction.psbt).isComplete
        if !isStoredOneClearer {
            // If it contradicts the stored one, it is reviewed unchanged.
            transaction.psbt = (try? store.addingSignatures(to: psbt)) ?? psbt
        }
        transaction.adopt((try? store.wallet(spentBy: transaction.psbt, on: network)) ?? nil)
        return review(of: transaction, network: network, givenAs: psbt)
    }

    /// A review with what the store knows in addition: labels of paid addresses, the chain's height, when spending paths open,
    /// and whose keys those of its wallets are.
    nonisolated func informed(_ review: TransactionReview) -> TransactionReview {
        var review = review
        let labels = (try? store.labels()) ?? []
        let texts = LabelTexts(labels)
        for address in review.outputs.compactMap(\.address) { review.labels[address] = texts.of(address) }
        guard !review.policies.isEmpty || !review.isLockOpen(at: now) else { return review }
        let wallets = ((try? store.wallets()) ?? []).filter { $0.network == review.network }
        let chains = wallets.compactMap { wallet in
            (try? store.chain(of: wallet.name, on: wallet.network)).flatMap { $0 }.map { (wallet, $0) }
        }
        let last = chains.map(\.1).max { ($0.height, $0.time) < ($1.height, $1.time) }
        if let last, last.height > review.knownHeight ?? -1 {
            (review.knownHeight, review.knownHeightTime) = (last.height, last.time)
        }
        guard !review.policies.isEmpty else { return review }
        review.learnOpenings(of: chains.map(\.1), at: now)
        let coins = Dictionary(chains.map { ($0.0.name, $0.1.coins) }) { first, _ in first }
        review.learnKeys(of: wallets.map { ($0, coins[$0.name] ?? []) }, KeyLabels(labels), in: store)
        return review
    }
}
