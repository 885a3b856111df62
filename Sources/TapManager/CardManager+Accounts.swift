import Bitcoin
import TapProtocol

/// Cards' accounts.
extension CardManager {
    /// The proven account at the path of the chosen card.
    /// - Parameters:
    ///   - network: the one that the card must be for; `nil`: any.
    ///   - purpose: what the CVC is asked for.
    ///   - approve: examines the card before its CVC is asked for.
    /// - Throws: `CardSearchError`, `FlowError`, and what the interaction and `approve` throw.
    package nonisolated func account(
        of choice: CardChoice = .any, network: Network? = nil, for purpose: CVCPurpose = .readAccount,
        approve: @Sendable (CardAtHand) async throws -> Void = { _ in }
    ) async throws -> CardAccount {
        guard case .fingerprint(let fingerprint) = choice else {
            let card = try await card(choice, for: network)
            do { try await approve(card) } catch {
                await card.card.disconnect()
                throw error
            }
            return try await account(of: card, for: purpose)
        }
        return try await withCard(of: fingerprint, network: network) { card, _ in
            try await approve(card)
            let account = try await account(of: card, for: purpose)
            guard account.account.masterFingerprint == fingerprint else {
                throw CardSearchError.otherFingerprint(
                    card, expected: fingerprint, found: account.account.masterFingerprint)
            }
            return account
        }
    }

    /// The proven accounts of several cards: of those on the readers and, if the manager has patience, of others that
    /// are put on a reader one after the other.
    /// - Parameters:
    ///   - count: how many are required.
    ///   - limit: how many are allowed; `nil`: as many as are on the readers.
    ///   - purpose: what they are for.
    ///   - approve: examines cards before the CVC of one of them is asked for.
    /// - Throws: `CardSearchError`: `.tooFew`, `.ambiguous` if there are too many, …; `FlowError`: `.wrongProduct` if
    ///   only SATSCARDs are there, …; what the interaction throws.
    package nonisolated func accounts(
        of choice: CardChoice = .any, atLeast count: Int, atMost limit: Int? = nil, network: Network? = nil,
        for purpose: CVCPurpose = .readAccount,
        approve: ([CardAtHand]) async throws -> Void = { _ in }
    ) async throws -> [CardAccount] {
        if case .fingerprint = choice {
            // A fingerprint selects only one card.
            guard count <= 1 else { throw CardSearchError.tooFew(1, of: count) }
            return [try await account(of: choice, network: network, for: purpose)]
        }
        var found: [CardAccount] = []
        var cards = try await signers(choice, for: purpose, besides: [], isFirst: true)
        if let limit, cards.count > limit { throw CardSearchError.ambiguous(cards) }
        while true {
            // A card on two readers, or moved from one to another, is one card.
            cards.removeAll { card in found.contains { $0.card.ident == card.ident } }
            for card in cards {
                try await requireUse(of: card, network: network)
                guard !card.status.isSetUp else { continue }
                try await lettingGo(of: card) { try await requireState(of: card, CVCPurpose.readAccount.obstacle) }
            }
            do { try await approve(cards) } catch {
                for card in cards { await card.card.disconnect() }
                throw error
            }
            for card in cards where !found.contains(where: { $0.card.ident == card.ident }) {
                found.append(try await account(of: card, for: purpose))
            }
            guard found.count < count else { return found }
            guard patience != nil else { throw CardSearchError.tooFew(found.count, of: count) }
            interaction.notice(.accounts(found.count, of: count))
            cards = try await signers(choice, for: purpose, besides: Set(found.map(\.card.ident)), isFirst: false)
        }
    }

    /// The proven account at the path of a given card.
    /// - Throws: `FlowError`, and what the interaction throws.
    public nonisolated func account(of card: CardAtHand) async throws -> CardAccount {
        try await account(of: card, for: .readAccount)
    }

    private nonisolated func account(of card: CardAtHand, for purpose: CVCPurpose) async throws -> CardAccount {
        try await lettingGo(of: card) { try await readAccount(of: card, for: purpose).account }
    }

    /// Gives a notice if the card's setup is unfinished (`Notice.setupUnfinished`), or if it was never backed up
    /// (`.notBackedUp`).
    /// - Parameter purpose: what the CVC is asked for.
    /// - Returns: the account, and the CVC that the card accepted.
    nonisolated func readAccount(
        of card: CardAtHand, for purpose: CVCPurpose = .readAccount
    ) async throws -> (account: CardAccount, cvc: CVC) {
        let (keys, cvc) = try await perform(purpose, on: card) { driver, cvc in
            try await AccountFlow(driver: driver, cvc: cvc).keys()
        }
        keepInMind(card, keys.account.masterFingerprint)
        tellWhatIsLeftToDo(with: card)
        return (CardAccount(account: keys.account, masterKey: keys.master, card: card), cvc)
    }

    /// Tells what should be done before somebody is paid with this account.
    private nonisolated func tellWhatIsLeftToDo(with card: CardAtHand) {
        if let setup = try? driver(for: card).journal.unfinishedSetup(), !setup.wasReady {
            interaction.notice(.setupUnfinished(card))
        } else if card.status.backupCount == 0, (try? store.backups(of: card.ident))?.isEmpty != false {
            interaction.notice(.notBackedUp(card))
        }
    }

    /// Remembers a card's proven fingerprint. If that fails, it is read again next time.
    nonisolated func keepInMind(_ card: CardAtHand, _ fingerprint: Fingerprint) {
        try? remember(card.status, fingerprint: fingerprint)
    }

    /// Readable cards that have not been used yet.
    private nonisolated func signers(
        _ choice: CardChoice, for purpose: CVCPurpose, besides known: Set<CardIdent>, isFirst: Bool
    ) async throws(CardSearchError) -> [CardAtHand] {
        let search = search(choice)
        return try await search.waiting(
            patience, isFirst ? .layCards : .layNextCard, tell: interaction.notice
        ) { () async throws(CardSearchError) in
            // Waits while one card is being exchanged for another.
            let cards = isFirst ? try await search.all() : try await search.allReadable()
            let fresh = cards.filter { $0.status.product != .satscard && !known.contains($0.ident) }
            guard fresh.isEmpty else { return fresh }
            for card in cards { await card.card.disconnect() }
            guard isFirst, let other = cards.first else { throw isFirst ? .noSigner : .noFurtherCard }
            do throws(FlowError) { try purpose.requireProduct(of: other) } catch { throw CardSearchError(error) }
            throw .noSigner
        }
    }
}
