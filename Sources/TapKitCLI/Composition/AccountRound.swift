import Bitcoin
import TapManager
import TapProtocol

/// Reads the accounts of cards: of the one on the reader or, for a wallet of several, of all that lie there and those
/// that are laid down one after the other.
struct AccountRound {
    /// A card's account.
    struct Found {
        let account: Account
        let ident: CardIdent
        let isSimulated: Bool
    }

    private let options: GlobalOptions
    private let task = "show an xpub"

    init(_ options: GlobalOptions) { self.options = options }

    /// The account of the one card.
    func one() async throws -> Found {
        let card = try await UnlockedCard.open(options, task: task)
        return try await read(card)
    }

    /// The accounts of several cards.
    /// - Parameters:
    ///   - count: how many there must be; with `--wait` further ones are waited for.
    ///   - limit: how many there may be; `nil`: as many as lie there.
    /// - Throws: `Failure`: `.noCard` when there are too few, `.ambiguousCard` when there are too many.
    func several(atLeast count: Int, exactly limit: Int?) async throws -> [Found] {
        let finder = try CardFinder(options)
        let book = try options.cvcOptions.book()
        var found: [Found] = []
        var cards = try await signers(finder, isFirst: true, found: found)
        if let limit, cards.count > limit { throw finder.ambiguous(cards) }
        while true {
            for access in cards {
                try access.requireUse(options)
                let source = try CVCSource(
                    given: book?.cvc(of: access.status.ident), CVCPrompt(access, to: task))
                let watched = try WatchedCard(access, options, options.manager())
                found.append(try await read(UnlockedCard(watched: watched, source: source)))
                await access.card.disconnect()
            }
            guard found.count < count else { return found }
            guard try options.waiting() != nil else {
                throw Failure(
                    .noCard, "\(found.count) of \(count) cards lie on the readers.",
                    hint: "Lay the others on readers too, or use --wait to lay them down one after the other.")
            }
            options.console.note("\(found.count) of \(count) cards read. Lay the next one on the reader…")
            cards = try await signers(finder, isFirst: false, found: found)
        }
    }

    /// Cards that can be read and were not yet; waits for one with `--wait`.
    private func signers(_ finder: CardFinder, isFirst: Bool, found: [Found]) async throws(Failure) -> [CardAccess] {
        let known = Set(found.map(\.ident))
        let look: @Sendable () async throws(Failure) -> [CardAccess] = { () async throws(Failure) in
            let cards: [CardAccess]
            do throws(Failure) { cards = try await finder.findAll() } catch {
                // One that is just being changed for another is waited off.
                guard !isFirst, [.notATapCard, .cardMute, .transportFailed].contains(error.code) else { throw error }
                throw Failure(.noCard, "What lies there does not answer as a tap card.")
            }
            let fresh = cards.filter { $0.status.product != .satscard && !known.contains($0.status.ident) }
            guard !fresh.isEmpty else {
                throw Failure(.noCard, "No \(isFirst ? "" : "other ")card with an extended key lies on a reader.")
            }
            return fresh
        }
        guard let waiting = try options.waiting() else { return try await look() }
        return try await finder.wait(
            waiting, console: options.console,
            saying: isFirst ? "Lay the cards on the readers…" : "Waiting for the next card…", look)
    }

    private func read(_ card: UnlockedCard) async throws -> Found {
        let account = try await card.account()
        options.remember(card.access.status, fingerprint: account.masterFingerprint)
        return Found(account: account, ident: card.access.status.ident, isSimulated: card.isSimulated)
    }
}
