import Bitcoin
import SmartCard
import TapProtocol

/// Readers, and the cards on them.
extension CardManager {
    /// The attached readers, and why some backends cannot list theirs.
    package nonisolated func readers() -> (readers: [any CardReader], problems: [CardSearchError]) {
        search(.any).listed()
    }

    /// The same, as soon as there is a reader, with the manager's patience.
    /// - Throws: `CardSearchError`: `.timedOut`, `.interrupted`, and without patience, why there is none.
    package nonisolated func awaitedReaders() async throws(CardSearchError) -> (
        readers: [any CardReader], problems: [CardSearchError]
    ) {
        let search = search(.any)
        return try await search.waiting(patience, for: .reader, .attachReader, tell: interaction.notice) {
            () throws(CardSearchError) in
            _ = try search.readers()
            return search.listed()
        }
    }

    /// What is on each of some readers, in order, all examined at once; `nil` for nothing.
    ///
    /// Wire: SELECT and `status`.
    package nonisolated func cards(
        on readers: [any CardReader]
    ) async -> [Result<CardAtHand?, CardSearchError>] {
        await search(.any).looks(at: readers)
    }

    /// Every card on a reader that may match, in the order of the readers; at least one. Waits for it with the
    /// manager's patience.
    /// - Throws: `CardSearchError`.
    public nonisolated func cards(_ choice: CardChoice = .any) async throws(CardSearchError) -> [CardAtHand] {
        let search = search(choice)
        return try await search.waiting(patience, .layCard, tell: interaction.notice) {
            () async throws(CardSearchError) in try await search.all()
        }
    }

    /// The chosen card. Waits for it with the manager's patience. If the card reports that it was tampered with, the
    /// interaction gets `Notice.tampered`. With ``CardChoice/fingerprint(_:)``, a card that is remembered with it need
    /// not prove it here; it does when it is used.
    /// - Parameter network: the one that the card must be for; `nil`: any.
    /// - Throws: `CardSearchError`: `.ambiguous` if more than one matches, `.wrongNetwork`, …; with
    ///   ``CardChoice/fingerprint(_:)`` also `FlowError`, and what the interaction throws.
    public nonisolated func card(
        _ choice: CardChoice = .any, for network: Network? = nil
    ) async throws -> CardAtHand {
        let search = search(choice)
        let card =
            if case .fingerprint(let fingerprint) = choice {
                try await withCard(of: fingerprint, network: network) { card, isKnown in
                    if !isKnown { try await identify(card, as: fingerprint) }
                    return card
                }
            } else {
                try await search.waiting(patience, .layCard, tell: interaction.notice) {
                    () async throws(CardSearchError) in try await search.one()
                }
            }
        try await requireUse(of: card, network: network)
        return card
    }
}
