import Bitcoin
import TapProtocol

/// What the store remembers about cards.
extension CardManager {
    /// Remembers a card, with the fingerprint if the card proved it.
    package nonisolated func remember(_ status: CardStatus, fingerprint: Fingerprint? = nil) throws(StoreError) {
        try store.save(CardRecord(status, fingerprint: fingerprint, lastSeen: now))
    }

    /// Deletes what is remembered about a card, including its version and proven keys, after asking. Its backups,
    /// transactions and unfinished flows stay.
    /// - Parameter text: the card's ident, complete or its beginning; case is ignored.
    /// - Returns: what was remembered.
    /// - Throws: `ErrorCode.badArgument` if none or several match, `StoreError`, and what the interaction throws.
    public nonisolated func forgetCard(named text: String) async throws -> CardRecord {
        let card = try rememberedCard(named: text)
        try await interaction.confirm(.forgetCard(card))
        _ = try store.forgetCard(card.ident)
        return card
    }

    /// Names a remembered card, so that the user can distinguish it from others; the name is shown next to the ident,
    /// never instead.
    /// - Parameters:
    ///   - text: as for `forgetCard(named:)`.
    ///   - name: at most 40 characters, without spaces at its ends, control characters and quotation marks; `nil` or empty
    ///     removes the name.
    /// - Returns: what is remembered now.
    /// - Throws: `ErrorCode.badArgument` for another name, or if none or several cards match; `StoreError`.
    @discardableResult
    public nonisolated func nameCard(_ text: String, _ name: String?) throws -> CardRecord {
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        if let name, !CardRecord.isName(name) { throw CardMemoryError.badName(name) }
        var card = try rememberedCard(named: text)
        guard try store.name(card.ident, name) else { throw CardMemoryError.none(text, known: []) }
        card.name = name
        return card
    }

    /// Whether a text is the beginning of a remembered card's ident, at least its first group of letters and digits.
    /// Case is ignored.
    package nonisolated func isRememberedIdent(_ text: String) throws(StoreError) -> Bool {
        let start = text.uppercased()
        let cards = try store.cards()
        return start.count >= 5 && cards.contains { $0.ident.text.hasPrefix(start) }
    }

    private nonisolated func rememberedCard(named text: String) throws -> CardRecord {
        let cards = try store.cards()
        let named = cards.filter { $0.ident.text.hasPrefix(text.uppercased()) }
        guard !text.isEmpty, let card = named.first else { throw CardMemoryError.none(text, known: cards.map(\.ident)) }
        guard named.count == 1 else { throw CardMemoryError.several(text, known: cards.map(\.ident)) }
        return card
    }
}
