import Bitcoin

/// Stored transactions.
extension CardManager {
    /// The newest stored transactions, newest first, and how many there are in total.
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - skipped: how many of the newest to skip.
    public nonisolated func transactions(
        limit: Int = .max, skipping skipped: Int = 0
    ) throws(StoreError) -> (summaries: [TransactionSummary], count: Int) {
        (try store.transactions(limit: limit, offset: skipped), try store.transactionCount())
    }

    /// The id of a stored transaction.
    /// - Parameter text: the id, or at least 4 digits of its beginning that no other stored one shares.
    /// - Throws: `TransactionSearchError`.
    package nonisolated func transactionID(named text: String) throws(TransactionSearchError) -> TransactionID {
        guard (TransactionID.shortestName...TransactionID.digitCount).contains(text.count),
            text.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { throw .noID(text) }
        let ids: [TransactionID]
        do throws(StoreError) { ids = try store.transactionIDs(startingWith: text) } catch { throw .store(error) }
        guard let id = ids.first else { throw .none(text) }
        guard ids.count == 1 else { throw .several(text, id, ids[1]) }
        return id
    }

    /// A stored transaction.
    /// - Parameter text: as for `transactionID(named:)`.
    /// - Throws: `TransactionSearchError`.
    package nonisolated func transaction(named text: String) throws -> StoredTransaction {
        let id = try transactionID(named: text)
        do throws(StoreError) {
            guard let transaction = try store.transaction(id) else { throw .noSuchTransaction(id) }
            return transaction
        } catch { throw TransactionSearchError.store(error) }
    }

    /// A stored transaction and what is known about it without a card: from its wallet or, if that does not exist or
    /// cannot be used, from a remembered card's proven keys. Without either, change is only claimed. Payees that another
    /// stored transaction pays, too, are among the findings.
    /// - Parameter network: the network whose address form is used; `nil`: the transaction's own.
    public nonisolated func review(
        of transaction: StoredTransaction, network: Network? = nil
    ) -> StoredTransactionReview {
        review(of: transaction, network: network, givenAs: transaction.psbt)
    }

    /// - Parameters:
    ///   - given: the same transaction as the user has it; the review counts the signatures that it lacks.
    ///   - unsettledBefore: the transactions that were not settled when the running command began.
    nonisolated func review(
        of transaction: StoredTransaction, network: Network?, givenAs given: PSBT,
        unsettledBefore: Set<TransactionID> = []
    ) -> StoredTransactionReview {
        let opened = transaction.wallet.flatMap { try? wallet(named: $0, on: network) }
        let shown = transaction.network(asked: network)
        let planner = SigningPlanner(psbt: transaction.psbt, network: shown)
        let (review, findings): (TransactionReview?, [Finding])
        if opened == nil, let context = store.contextOfKnownCard(planner, of: transaction.psbt) {
            (review, findings) = (TransactionReview(context), context.findings)
        } else {
            (review, findings) = planner.review(wallet: opened?.wallet, shown: ShownReach(store))
        }
        return StoredTransactionReview(
            transaction: transaction, network: shown, review: review.map { informed($0) },
            findings: findings
                + (review.map { store.repetitions(of: $0, unsettledBefore: unsettledBefore) } ?? []),
            tally: SignatureTally(transaction.psbt),
            storedSignatures: given.isFinalized
                ? 0 : SignatureTally(transaction.psbt).present - SignatureTally(given).present)
    }

    /// Deletes a stored transaction and its signatures, after asking; that frees its coins. An unreadable one can be
    /// deleted, too, as there is no other way to remove it.
    /// - Returns: whether it still existed.
    /// - Throws: `StoreError`, and what the interaction throws.
    public nonisolated func delete(_ id: TransactionID) async throws -> Bool {
        try await interaction.confirm(.deleteTransaction(try deletion(of: id)))
        return try store.deleteTransaction(id)
    }

    private nonisolated func deletion(of id: TransactionID) throws(StoreError) -> DeletionQuestion {
        do throws(StoreError) {
            guard let transaction = try store.transaction(id) else { throw .noSuchTransaction(id) }
            return DeletionQuestion(
                id: id, summary: transaction.summary, network: transaction.network(asked: nil),
                review: review(of: transaction).review, fault: nil, isSigned: transaction.psbt.isSigned,
                canBeBumped: transaction.wallet != nil || transaction.isSweep)
        } catch {
            guard case .unreadable = error else { throw error }
            return DeletionQuestion(id: id, summary: nil, network: .main, review: nil, fault: error)
        }
    }
}
