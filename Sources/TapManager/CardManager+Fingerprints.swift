import Bitcoin
import TapProtocol

/// Cards that are chosen by the fingerprint of their master key.
extension CardManager {
    /// The fingerprint that is remembered of a card; `nil`: nobody has asked the card for it yet.
    package nonisolated func knownFingerprint(of card: CardAtHand) throws(StoreError) -> Fingerprint? {
        try store.card(card.ident)?.fingerprint
    }

    /// That one of some cards, found before, whose master key has a fingerprint. One that is remembered by it need not prove it
    /// here; else each whose fingerprint nobody knows does, for which its CVC is asked for.
    /// - Throws: `CardSearchError.noCard` when none of them is the card; `FlowError`; what the interaction throws.
    package nonisolated func card(with fingerprint: Fingerprint, among cards: [CardAtHand]) async throws -> CardAtHand {
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

    /// Does something with that one of some cards whose master key has a fingerprint.
    /// - Parameter task: is given the card, and whether it is remembered by the fingerprint; of one that is not it must have it
    ///   proven first.
    /// - Throws: `CardSearchError.noCard` when none of them is the card; what the task throws.
    nonisolated func withCard<Result>(
        of fingerprint: Fingerprint, among cards: [CardAtHand], _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result {
        guard let result = try await first(of: cards, with: fingerprint, task) else {
            throw CardSearchError.noCard(.fingerprint(fingerprint), others: cards)
        }
        return result
    }

    /// The same with a card on a reader, waited for with the manager's patience.
    /// - Parameter network: the one that the card must be for; `nil`: any.
    nonisolated func withCard<Result>(
        of fingerprint: Fingerprint, network: Network?, _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result {
        var asked: Set<CardIdent> = []
        while true {
            let found = try await cards(.fingerprint(fingerprint))
            // What a card proved may not have been kept.
            let fresh = found.filter { !asked.contains($0.ident) }
            guard let one = fresh.first else { throw CardSearchError.noCard(.fingerprint(fingerprint), others: found) }
            let fitting = fresh.filter { (try? $0.network(asked: network)) != nil }
            if fitting.isEmpty { try await requireUse(of: one, network: network) }
            for card in found where !fitting.contains(where: { $0.ident == card.ident }) {
                await card.card.disconnect()
            }
            if let result = try await first(of: fitting, with: fingerprint, task) { return result }
            asked.formUnion(fresh.map(\.ident))
        }
    }

    /// - Returns: `nil` when none of the cards is the one.
    private nonisolated func first<Result>(
        of cards: [CardAtHand], with fingerprint: Fingerprint, _ task: (CardAtHand, Bool) async throws -> Result
    ) async throws -> Result? {
        switch try FingerprintMatch(fingerprint, among: cards, in: store) {
        case .known(let card): return try await task(card, true)
        case .unknown(let cards):
            // Their lines are opened again when it is their turn: some readers are one user's at a time.
            for card in cards.dropFirst() { await card.card.disconnect() }
            for card in cards {
                do { return try await task(card, false) } catch CardSearchError.otherFingerprint {
                    await card.card.disconnect()
                }
            }
            return nil
        }
    }
}
