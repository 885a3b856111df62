import Bitcoin

/// Signing with cards.
extension CardManager {
    /// Signs a PSBT with every card that can help: those on the readers at once and, if the manager has patience, those
    /// that are laid down one after the other, until every signature is there.
    ///
    /// For each card: what is signed is shown and confirmed, as far as it is known; then its CVC is asked for; the card proves its
    /// keys, and what they make worse is confirmed once more; then it signs. Every signature is verified, and in the store
    /// the moment it is: whatever ends this, the same call goes on with what was signed.
    /// - Parameters:
    ///   - psbt: what is signed; signatures that the store has of the same transaction are added.
    ///   - choice: which card is meant; with `.any` all that can help.
    ///   - network: whose addresses are shown; `nil`: the card's.
    ///   - policy: what is allowed or forbidden beyond the rules that always hold.
    /// - Returns: what came of it, interrupted or not.
    /// - Throws: when nothing was signed: `CardSearchError`, `FlowError`, `StoreError`, and what the interaction threw.
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
        var session = try SigningSession(psbt, self, choice: choice, network: network, policy: policy)
        return try await session.run()
    }

    /// Signs a PSBT with that one of some cards, found before, whose master key has a fingerprint; else as
    /// `sign(_:with:network:policy:)`. One whose fingerprint nobody knows proves it with the CVC that signing takes, so that what
    /// is signed is shown and confirmed first.
    /// - Throws: the same; `CardSearchError`: `.noCard` when none of them is the card, `.otherFingerprint`.
    package nonisolated func sign(
        _ psbt: PSBT, with fingerprint: Fingerprint, among cards: [CardAtHand], network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        try await withCard(of: fingerprint, among: cards) { card, _ in
            try await sign(psbt, on: card, expecting: fingerprint, network: network, policy: policy)
        }
    }

    /// Signs a PSBT with one card that was found before; else as `sign(_:with:network:policy:)`.
    /// - Parameter fingerprint: the one that the card was chosen by, which it proves unless it is remembered by it: of a card that
    ///   has another one nothing is asked.
    /// - Throws: the same; `CardSearchError.otherFingerprint`.
    public nonisolated func sign(
        _ psbt: PSBT, on card: CardAtHand, expecting fingerprint: Fingerprint?, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        var session = try SigningSession(psbt, self, choice: .any, network: network, policy: policy)
        session.card = card
        session.expectedFingerprint = fingerprint
        return try await session.run()
    }

    /// Signs a stored transaction: a sweep with the SATSCARD whose opened slots it empties, all else as
    /// `sign(_:with:network:policy:)` does.
    /// - Throws: the same; for a sweep `ErrorCode.nothingToSign` when it is another card's; `ErrorCode.alreadyConfirmed`,
    ///   `ErrorCode.alreadyReplaced`.
    public nonisolated func sign(
        _ stored: StoredTransaction, with choice: CardChoice = .any, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        try requireOpen(stored)
        if stored.isSweep {
            let card = try await card(choice, for: network)
            if card.status.product == .satscard {
                return try await lettingGo(of: card) {
                    try await signSweep(stored, on: card, network: network, policy: policy).signing
                }
            }
            // Its reader is one user's at a time.
            await card.card.disconnect()
        }
        return try await sign(stored.psbt, with: choice, network: network, policy: policy)
    }

    /// Confirms that a card is for the network that was asked for, or lets go of it, and says so when somebody tampered with it.
    /// - Throws: `CardSearchError.wrongNetwork`.
    nonisolated func requireUse(of card: CardAtHand, network: Network?) async throws(CardSearchError) {
        do throws(CardSearchError) { _ = try card.network(asked: network) } catch {
            await card.card.disconnect()
            throw error
        }
        if card.status.isTampered { interaction.notice(.tampered(card)) }
    }
}
