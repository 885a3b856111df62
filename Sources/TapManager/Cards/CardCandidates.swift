import Bitcoin
import TapProtocol

/// Which of some cards is meant, as far as that is known without a CVC.
package enum CardCandidates: Sendable {
    /// This one. It proves the fingerprint when it is used: the one by which it was chosen or, if it was chosen by its
    /// place, the one that is remembered for it. `nil`: it may have any.
    case known(CardAtHand, Fingerprint?)
    /// One of these, at least one: the one that proves the fingerprint.
    case unproven([CardAtHand], Fingerprint)

    /// `nil` if none of the cards is meant.
    /// - Parameters:
    ///   - wanted: the fingerprint by which the card is chosen; `nil`: the first card is meant.
    ///   - store: remembers fingerprints.
    init?(_ wanted: Fingerprint?, among cards: [CardAtHand], in store: any Store) throws(StoreError) {
        guard let wanted else {
            guard let first = cards.first else { return nil }
            self = .known(first, try store.card(first.ident)?.fingerprint)
            return
        }
        switch try FingerprintMatch(wanted, among: cards, in: store) {
        case .known(let card): self = .known(card, wanted)
        case .unknown(let cards):
            guard !cards.isEmpty else { return nil }
            self = .unproven(cards, wanted)
        }
    }
}

extension CardManager {
    /// Which of some cards is meant, as far as that is known without a CVC.
    /// - Parameter fingerprint: the master key's. A card that is remembered with it is meant; otherwise each that has
    ///   not proven its own yet may be. `nil`: the first card is meant.
    /// - Returns: `nil` if none is.
    package nonisolated func candidates(
        _ fingerprint: Fingerprint?, among cards: [CardAtHand]
    ) throws(StoreError) -> CardCandidates? {
        try CardCandidates(fingerprint, among: cards, in: store)
    }

    /// The card that is meant, and the fingerprint that it has to have. If it is not known which one is meant, each
    /// candidate must prove its fingerprint, for which its CVC is asked for.
    /// - Throws: `CardSearchError`: `.noCard` if it is none of them, `.unknownFingerprints`; `FlowError`; what the
    ///   interaction throws.
    package nonisolated func card(
        of candidates: CardCandidates
    ) async throws -> (card: CardAtHand, fingerprint: Fingerprint?) {
        switch candidates {
        case .known(let card, let fingerprint): (card, fingerprint)
        case .unproven(let cards, let fingerprint):
            (try await card(with: fingerprint, among: cards), fingerprint)
        }
    }

    /// Does something with the card that is meant.
    /// - Parameter task: is given the card, and the fingerprint that it must prove before it does anything else.
    /// - Throws: `CardSearchError.noCard` if it is none of the candidates; what the task throws.
    nonisolated func withCard<Result>(
        of candidates: CardCandidates, _ task: (CardAtHand, Fingerprint?) async throws -> Result
    ) async throws -> Result {
        switch candidates {
        case .known(let card, let fingerprint): try await task(card, fingerprint)
        case .unproven(let cards, let fingerprint):
            try await withCard(of: fingerprint, among: cards) { card, _ in try await task(card, fingerprint) }
        }
    }
}
