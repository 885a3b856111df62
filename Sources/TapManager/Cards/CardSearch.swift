import ExplainedErrors
import SmartCard
import TapProtocol

/// Looks through readers for cards.
struct CardSearch: Sendable {
    let backends: [any ReaderBackend]
    let choice: CardChoice
    let trace: (@Sendable (TraceEvent) -> Void)?
    /// Hears what was found on readers.
    let hub: EventHub
    /// What the person called a card; `nil`: nothing.
    let name: @Sendable (CardIdent) -> String?

    /// The one card that is meant.
    func one() async throws(CardSearchError) -> CardAtHand {
        let found = try await all()
        guard let only = found.first, found.count == 1 else {
            await Self.letGo(of: found)
            throw .ambiguous(found)
        }
        return only
    }

    /// Every card that may be meant, in the order of the readers; at least one.
    func all() async throws(CardSearchError) -> [CardAtHand] {
        var found: [CardAtHand] = []
        var problem: CardSearchError?
        for look in await looks(at: try readers()) {
            switch look {
            case .success(let card?): found.append(card)
            case .success(nil): break
            case .failure(let error): problem = problem ?? error
            }
        }
        let meant = found.filter { choice.includes($0.ident) }
        await Self.letGo(of: found.filter { !choice.includes($0.ident) })
        guard meant.isEmpty else { return meant }
        throw problem ?? .noCard(choice, others: found)
    }

    /// Ends the lines to cards that nothing is asked of: some readers are one user's at a time.
    private static func letGo(of cards: [CardAtHand]) async {
        for card in cards { await card.card.disconnect() }
    }

    /// The same, where something that is no tap card, or does not answer, is most likely a card on its way.
    func allReadable() async throws(CardSearchError) -> [CardAtHand] {
        do throws(CardSearchError) { return try await all() } catch {
            guard [.notATapCard, .cardMute, .transportFailed].contains(error.code) else { throw error }
            throw .unreadable
        }
    }

    /// What lies on each of the readers, in their order, all looked at at once.
    func looks(at readers: [any CardReader]) async -> [Result<CardAtHand?, CardSearchError>] {
        await withTaskGroup(of: (Int, Result<CardAtHand?, CardSearchError>).self) { group in
            for (index, reader) in readers.enumerated() {
                group.addTask {
                    do throws(CardSearchError) { return (index, .success(try await look(at: reader))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The card on a reader; `nil` when there is none.
    func look(at reader: any CardReader) async throws(CardSearchError) -> CardAtHand? {
        let card = TapCard(reader: reader, trace: trace)
        let removals = hub.beginsLook(at: reader.spec)
        do {
            let status = try await card.perform { $0.status }
            let found = CardAtHand(card: card, status: status, reader: reader, name: name(status.ident))
            hub.saw(SeenCard(found), on: reader.spec, since: removals)
            return found
        } catch {
            let error = CardSearchError(error)
            guard error.code != .noCard else {
                hub.saw(nil, on: reader.spec, since: removals)
                return nil
            }
            throw error
        }
    }

    /// The readers of every backend that can tell; at least one.
    func readers() throws(CardSearchError) -> [any CardReader] {
        let (readers, problems) = listed()
        guard readers.isEmpty else { return readers }
        if let problem = problems.first { throw problem }
        throw backends.first.map { CardSearchError($0.noReader) } ?? .noCard(choice, others: [])
    }

    /// The readers, and why some backends cannot tell theirs.
    func listed() -> (readers: [any CardReader], problems: [CardSearchError]) {
        var readers: [any CardReader] = []
        var problems: [CardSearchError] = []
        for backend in backends {
            do throws(ReaderError) { readers += try backend.readers() } catch {
                problems.append(CardSearchError(error))
            }
        }
        return (readers, problems)
    }

    /// What happens at the readers.
    func events() -> AsyncStream<ReaderEvent> {
        ReaderWatch.merged(backends.map { $0.events() })
    }
}
