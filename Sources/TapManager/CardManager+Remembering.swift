import Bitcoin
import TapProtocol

/// What the store remembers of cards.
extension CardManager {
    /// Remembers a card, and the fingerprint if the card proved it.
    package nonisolated func remember(_ status: CardStatus, fingerprint: Fingerprint? = nil) throws(StoreError) {
        try store.save(CardRecord(status, fingerprint: fingerprint, lastSeen: now))
    }

    /// Forgets what was seen of a card, its version and its proven keys, once that is confirmed. Its backups, transactions and
    /// unfinished flows stay.
    /// - Parameter text: the card's ident, whole or the beginning of it; case is ignored.
    /// - Returns: what was remembered.
    /// - Throws: `ErrorCode.badArgument` where none or several are called so, `StoreError`, and what the interaction throws.
    public nonisolated func forgetCard(named text: String) async throws -> CardRecord {
        let cards = try store.cards()
        let named = cards.filter { $0.ident.text.hasPrefix(text.uppercased()) }
        guard let card = named.first else { throw CardMemoryError.none(text, known: cards.map(\.ident)) }
        guard named.count == 1 else { throw CardMemoryError.several(text, known: cards.map(\.ident)) }
        try await interaction.confirm(.forgetCard(card))
        _ = try store.forgetCard(card.ident)
        return card
    }
}
