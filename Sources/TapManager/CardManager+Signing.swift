import Bitcoin

/// Signing with cards.
extension CardManager {
    /// Signs a PSBT with every card that can help: those on the readers first and, if the manager has patience, others
    /// that are put on a reader one after the other, until no signature is missing.
    ///
    /// For each card, the transaction is shown and confirmed, as far as it is known; then the CVC is asked for; the
    /// card proves its keys, and anything worse that they show is confirmed again; then the card signs. Every signature
    /// is stored as soon as it is verified: whatever ends this, the same call continues with what was signed.
    /// - Parameters:
    ///   - psbt: what to sign; stored signatures of the same transaction are added.
    ///   - choice: which card to use; with `.any`, all that can help.
    ///   - network: the network whose address form is used; `nil`: the card's.
    ///   - policy: what is allowed or forbidden in addition to the built-in checks.
    /// - Returns: the result, interrupted or not.
    /// - Throws: if nothing was signed: `CardSearchError`, `FlowError`, `StoreError`, and what the interaction threw.
    public nonisolated func sign(
        _ psbt: PSBT, with choice: CardChoice = .any, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        if case .fingerprint(let fingerprint) = choice {
            return try await withCard(of: fingerprint, network: policy.ignoresSignerNetwork ? nil : network) {
                card, _ in
                try await sign(psbt, on: card, expecting: fingerprint, network: network, policy: policy)
            }
        }
        var signing = try SigningRun(psbt, self, choice: choice, network: network, policy: policy)
        return try await signing.run()
    }

    /// Signs a PSBT with the card that is meant; otherwise like `sign(_:with:network:policy:)`. A card whose fingerprint
    /// is unknown proves it with the CVC for signing, after the transaction is shown and confirmed.
    /// - Throws: the same; `CardSearchError`: `.noCard` if it is none of the candidates, `.otherFingerprint`.
    package nonisolated func sign(
        _ psbt: PSBT, by candidates: CardCandidates, network: Network? = nil, policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        try await withCard(of: candidates) { card, fingerprint in
            try await sign(psbt, on: card, expecting: fingerprint, network: network, policy: policy)
        }
    }

    /// Signs a PSBT with a given card; otherwise like `sign(_:with:network:policy:)`.
    /// - Parameter fingerprint: the one that the card was chosen by, which it must prove unless it is remembered with
    ///   it. A card with a different one is not asked for anything.
    /// - Throws: the same; `CardSearchError.otherFingerprint`.
    public nonisolated func sign(
        _ psbt: PSBT, on card: CardAtHand, expecting fingerprint: Fingerprint?, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        var signing = try SigningRun(psbt, self, choice: .any, network: network, policy: policy)
        signing.card = card
        signing.expectedFingerprint = fingerprint
        return try await signing.run()
    }

    /// Signs a stored transaction: a sweep with the SATSCARD whose unsealed slots it empties, anything else like
    /// `sign(_:with:network:policy:)`.
    /// - Parameter given: the same transaction as the user has it, whose signatures count, too; `nil`: only the stored
    ///   one. A sweep is always signed as it is stored.
    /// - Throws: the same; for a sweep, `ErrorCode.nothingToSign` if it is another card's;
    ///   `ErrorCode.alreadyConfirmed`, `ErrorCode.alreadyReplaced`; `PSBTError` if what is given is another transaction,
    ///   or contradicts the stored one.
    public nonisolated func sign(
        _ stored: StoredTransaction, givenAs given: PSBT? = nil, with choice: CardChoice = .any,
        network: Network? = nil, policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        try requireOpen(stored)
        // A card knows only bitcoin and the test networks; the store knows which of them, and so the addresses' form.
        let network = network ?? (stored.network == .main ? nil : stored.network)
        if stored.isSweep {
            let card = try await card(choice, for: network)
            if card.status.product == .satscard {
                // A slot's key is no wallet's.
                guard !policy.requiresRegistration else {
                    await card.card.disconnect()
                    throw FlowError.registrationUnconfirmed
                }
                return try await lettingGo(of: card) {
                    try await signSweep(stored, on: card, network: network, policy: policy).signing
                }
            }
            // Its reader serves one user at a time.
            await card.card.disconnect()
            return try await sign(stored.psbt, with: choice, network: network, policy: policy)
        }
        let psbt = try given.map(stored.psbt.combined) ?? stored.psbt
        return try await sign(psbt, with: choice, network: network, policy: policy)
    }

    /// Confirms that a card is for the requested network, or disconnects from it, and gives a notice if it was tampered
    /// with.
    /// - Throws: `CardSearchError.wrongNetwork`.
    nonisolated func requireUse(of card: CardAtHand, network: Network?) async throws(CardSearchError) {
        do throws(CardSearchError) { _ = try card.network(asked: network) } catch {
            await card.card.disconnect()
            throw error
        }
        if card.status.isTampered { interaction.notice(.tampered(card)) }
    }
}
