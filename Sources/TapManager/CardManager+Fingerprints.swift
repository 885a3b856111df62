import Bitcoin
import TapProtocol

/// Cards chosen by the fingerprint of their master key.
extension CardManager {
    /// The remembered fingerprint of a card; `nil`: the card has not proven it yet.
    package nonisolated func knownFingerprint(of card: CardAtHand) throws(StoreError) -> Fingerprint? {
        try store.card(card.ident)?.fingerprint
    }

    /// The fingerprint that a card proves; it is remembered.
    /// - Parameter unknown: all the cards that are asked for theirs, one after the other.
    /// - Throws: `CardSearchError.unknownFingerprints`; `FlowError`; what the interaction throws.
    package nonisolated func fingerprint(
        of card: CardAtHand, among unknown: [CardAtHand]
    ) async throws -> Fingerprint {
        try await requireCertainCVC(of: card, among: Set(unknown.map(\.ident)))
        return try await keys(at: [], of: card, for: .identify).masterFingerprint
    }

    /// The one among some cards whose master key has a given fingerprint. A card that is remembered with it need not
    /// prove it here; otherwise each card whose fingerprint is unknown must, for which its CVC is asked for.
    /// - Throws: `CardSearchError`: `.noCard` if none of them matches, `.unknownFingerprints`; `FlowError`; what the
    ///   interaction throws.
    nonisolated func card(with fingerprint: Fingerprint, among cards: [CardAtHand]) async throws -> CardAtHand {
        try await withCard(of: fingerprint, among: cards) { card, isKnown in
            if !isKnown { try await identify(card, as: fingerprint) }
            return card
        }
    }

    /// Has a card prove that its master key has a fingerprint. What it proves is remembered.
    /// - Throws: `CardSearchError.otherFingerprint`; `FlowError`; what the interaction throws.
    nonisolated func identify(_ card: CardAtHand, as fingerprint: Fingerprint) async throws {
        _ = try await keys(at: [], of: card, expecting: fingerprint, for: .identify)
    }

    /// Does something with the one among some cards whose master key has a given fingerprint.
    /// - Parameter task: is given the card, and whether it is remembered with the fingerprint; if not, the task must
    ///   have the card prove it first.
    /// - Throws: `CardSearchError.noCard` if none of them matches; what the task throws.
    nonisolated func withCard<Result>(
        of fingerprint: Fingerprint, among cards: [CardAtHand], _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result {
        guard let result = try await first(of: cards, with: fingerprint, task) else {
            throw CardSearchError.noCard(.fingerprint(fingerprint), others: cards)
        }
        return result
    }

    /// The same with a card on a reader; waits for it with the manager's patience.
    /// - Parameter network: the one that the card must be for; `nil`: any.
    nonisolated func withCard<Result>(
        of fingerprint: Fingerprint, network: Network?, _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result {
        var asked: Set<CardIdent> = []
        while true {
            let found = try await cards(.fingerprint(fingerprint))
            // A card's proof may not have been stored.
            let fresh = found.filter { !asked.contains($0.ident) }
            guard let one = fresh.first else {
                for card in found { await card.card.disconnect() }
                throw CardSearchError.noCard(.fingerprint(fingerprint), others: found)
            }
            let fitting = fresh.filter { (try? $0.network(asked: network)) != nil }
            if fitting.isEmpty { try await requireUse(of: one, network: network) }
            for card in found where !fitting.contains(where: { $0.ident == card.ident }) {
                await card.card.disconnect()
            }
            if let result = try await first(of: fitting, with: fingerprint, after: asked, task) { return result }
            asked.formUnion(fresh.map(\.ident))
        }
    }

    /// - Parameter tried: cards that had to prove their fingerprint before, and have another one.
    /// - Returns: `nil` if none of the cards matches.
    private nonisolated func first<Result>(
        of cards: [CardAtHand], with fingerprint: Fingerprint, after tried: Set<CardIdent> = [],
        _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result? {
        switch try FingerprintMatch(fingerprint, among: cards, in: store) {
        case .known(let card):
            for other in cards where other.ident != card.ident { await other.card.disconnect() }
            return try await task(card, true)
        case .unknown(let cards):
            // They are connected again when it is their turn: some readers serve one user at a time.
            for card in cards.dropFirst() { await card.card.disconnect() }
            for card in cards {
                try await requireCertainCVC(of: card, among: tried.union(cards.map(\.ident)))
                do { return try await task(card, false) } catch CardSearchError.otherFingerprint {
                    await card.card.disconnect()
                }
            }
            return nil
        }
    }

    /// Confirms that a CVC that was given for any card is not tried on one card after the other, or disconnects from the
    /// card: each could count a wrong try, and nobody knows which one is meant.
    /// - Parameter unknown: the cards that may be the one, this one included.
    /// - Throws: `CardSearchError.unknownFingerprints`.
    private nonisolated func requireCertainCVC(
        of card: CardAtHand, among unknown: Set<CardIdent>
    ) async throws(CardSearchError) {
        guard unknown.count > 1, interaction.hasOnlyGeneralCVC(for: card.ident) else { return }
        await card.card.disconnect()
        throw .unknownFingerprints(unknown.sorted { $0.text < $1.text })
    }
}
