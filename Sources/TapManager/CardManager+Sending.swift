import Bitcoin
import ChainData
import ExplainedErrors

/// Sending transactions.
extension CardManager {
    /// Sends a stored transaction whose signatures are complete and valid, after asking (`Question.send`), and records
    /// that it was sent. What a card of this store signed was confirmed then, and is also sent if nobody can be asked;
    /// so is anything else without a finding that can lose money. That another transaction pays a payee, too, is such a
    /// finding if no card signed for this store, which showed it; and if that one was given to a server, or signed by
    /// others or in part, since this one was built, whoever signed. The server is first asked about earlier payments to
    /// the payees that belong to no wallet. Of a payment that it calls settled only now, a notice informs.
    ///
    /// Signatures that were added since the caller read it from the store count. If it was deleted meanwhile, it is
    /// sent but stays deleted, which a notice reports (`Notice.sentUnstored`).
    /// - Parameter asked: the network whose chain server to use; `nil`: the one that the transaction was made for or,
    ///   if unknown, the one that its keys' paths show, else bitcoin.
    /// - Returns: the transaction as it was sent.
    /// - Throws: `ErrorCode.alreadyConfirmed`, `ErrorCode.alreadyReplaced`, `ErrorCode.noChainServer`,
    ///   `ErrorCode.notComplete`, `ErrorCode.transactionRejected`, why the chain server failed, or why the store could
    ///   not be updated before or after sending; and what the interaction throws on a no.
    public nonisolated func send(
        _ stored: StoredTransaction, network asked: Network? = nil
    ) async throws -> Transaction {
        let psbt = try requireSendable(stored)
        let unsettled = try store.unsettledTransactions()
        return try await chain.during { servers in
            let source = try servers.required(.send, on: stored.network(asked: asked))
            // One that was sent before may be in a block by now.
            try requireOpen(try await followed(stored, at: source).transaction)
            var signed = stored
            signed.psbt = psbt
            let shown = signed
            func reviewed() -> StoredTransactionReview {
                self.review(of: shown, network: asked, givenAs: psbt, unsettledBefore: unsettled)
            }
            var review = reviewed()
            if try await followPayments(beside: review) { review = reviewed() }
            var repeated = try repetitions(since: review)
            while true {
                review.unacceptedFindings = try unaccepted(review).including(repeated)
                review.findings = review.findings.including(repeated)
                do {
                    try await interaction.confirm(.send(review, server: source.name))
                } catch let error as any ExplainedError
                    where error.code == .confirmationNeeded && review.unacceptedFindings.isEmpty
                {}
                // While the question was open, another transaction to the same payee may have been sent.
                let later = try repetitions(since: review)
                guard !later.allSatisfy(repeated.contains) else { break }
                (review, repeated) = (reviewed(), later)
            }
            return try await sendConfirmed(stored, to: source)
        }
    }

    /// The warnings of what can lose money, unless a card of this store signed it, or it is a sweep of one: to sign means to
    /// have been shown them, by whichever program asked the card. But other payments that only this store knows of were
    /// shown only if the card signed for this store.
    private nonisolated func unaccepted(_ shown: StoredTransactionReview) throws(StoreError) -> [Finding] {
        let open = shown.findings.filter { $0.severity == .warning && $0.code.needsAcceptance }
        guard !open.isEmpty, !shown.transaction.isSweep else { return [] }
        let psbt = shown.transaction.psbt
        guard try store.isSignedByRememberedCard(psbt) else { return open }
        let made = try store.signaturesMadeHere(for: shown.transaction.id)
        return try store.isSignedByRememberedCard(psbt, counting: made)
            ? [] : open.filter { $0.code == .addressAlreadyPaid }
    }

    /// Sends a transaction that was confirmed by the user; otherwise like `send(_:network:)`.
    nonisolated func sendConfirmed(
        _ stored: StoredTransaction, to source: any ChainSource
    ) async throws -> Transaction {
        let (_, transaction) = try completed(stored)
        // Whatever the server answers, others may have it from now on.
        do throws(StoreError) {
            _ = try store.updateTransaction(stored.id) { present throws(StoreError) in
                guard var offered = present else { throw .noSuchTransaction(stored.id) }
                offered.offered = offered.offered ?? now
                return offered
            }
        } catch {
            guard case .noSuchTransaction = error else { throw error }
        }
        do throws(ChainError) { _ = try await source.broadcast(transaction) } catch { throw SendingError.chain(error) }
        do throws(StoreError) {
            _ = try store.updateTransaction(stored.id) { present throws(StoreError) in
                // Whoever deleted it did not want it stored.
                guard var sent = present else { throw .noSuchTransaction(stored.id) }
                sent.sent = sent.sent ?? now
                sent.updated = now
                return sent
            }
        } catch {
            guard case .noSuchTransaction = error else { throw SendingError.sentButNotKept(transaction.id, error) }
            interaction.notice(.sentUnstored(stored.id))
        }
        return transaction
    }

    /// Confirms that the chain has not settled a transaction, as it was given and as it is stored now.
    /// - Throws: `SettledError`, and why the store cannot be read.
    package nonisolated func requireOpen(_ given: StoredTransaction) throws {
        try given.requireOpen()
        try store.transaction(given.id)?.requireOpen()
    }

    /// Confirms that nothing about a transaction itself prevents sending it: the chain has not settled it, and its
    /// signatures are complete and valid. Asks no server, so that a missing server is named last.
    /// - Returns: its PSBT with all signatures, also those that only the store has.
    /// - Throws: `SettledError`, `SendingError`: `.notComplete`, `.notValid`; why the store cannot be read.
    @discardableResult
    package nonisolated func requireSendable(_ given: StoredTransaction) throws -> PSBT {
        try requireOpen(given)
        return try completed(given).signed
    }

    /// The transaction, ready to send, as it was given or as it is stored now.
    private nonisolated func completed(
        _ given: StoredTransaction
    ) throws -> (signed: PSBT, transaction: Transaction) {
        do throws(SendingError) { return try Self.complete(given) } catch {
            guard case .notComplete = error, let stored = try store.transaction(given.id) else { throw error }
            return try Self.complete(stored)
        }
    }

    /// The transaction, ready to send: every script is run.
    private static func complete(
        _ stored: StoredTransaction
    ) throws(SendingError) -> (signed: PSBT, transaction: Transaction) {
        let result = SigningResult(stored.psbt, added: 0)
        guard let transaction = result.transaction else {
            throw .notComplete(stored.id, missing: SignatureTally(stored.psbt).missing)
        }
        let digests = SighashCache(result.psbt.unsignedTransaction)
        for index in result.psbt.inputs.indices {
            do throws(PSBTError) { _ = try result.psbt.verifyFinalScripts(ofInput: index, using: digests) } catch {
                throw .notValid(stored.id, error)
            }
        }
        return (stored.psbt, transaction)
    }
}

extension [Finding] {
    /// These, then those of the others that are not among them. What the others warn of is not also a notice.
    fileprivate func including(_ others: [Finding]) -> [Finding] {
        let known = Set(self)
        return filter { own in own.severity != .notice || !others.contains { $0.isTheSame(as: own) } }
            + others.filter { !known.contains($0) }
    }
}

extension Finding {
    /// Whether both say the same, however severe that is.
    fileprivate func isTheSame(as other: Finding) -> Bool {
        code == other.code && subject == other.subject && detail == other.detail
    }
}
