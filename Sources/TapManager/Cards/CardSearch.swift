import Bitcoin
import ExplainedErrors
import SmartCard
import TapProtocol

/// Finds cards on readers.
struct CardSearch: Sendable {
    let backends: [any ReaderBackend]
    let choice: CardChoice
    /// Remembers the fingerprints of cards.
    let store: any Store
    let trace: (@Sendable (TraceEvent) -> Void)?
    /// Is informed about what was found on readers.
    let hub: EventHub
    let simulated: SimulatedCards
    /// The user's name for a card; `nil`: none.
    let name: @Sendable (CardIdent) -> String?

    /// The one card that matches.
    func one() async throws(CardSearchError) -> CardAtHand {
        let found = try await all()
        guard let only = found.first, found.count == 1 else {
            await Self.letGo(of: found)
            throw .ambiguous(found)
        }
        return only
    }

    /// Every card that may match, in the order of the readers; at least one.
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
        let meant = try meant(among: found)
        await Self.letGo(of: found.filter { other in !meant.contains { $0.reader.spec == other.reader.spec } })
        guard meant.isEmpty else { return meant }
        throw problem ?? .noCard(choice, others: found)
    }

    private func meant(among found: [CardAtHand]) throws(CardSearchError) -> [CardAtHand] {
        guard case .fingerprint(let fingerprint) = choice else { return found.filter { choice.includes($0.ident) } }
        do throws(StoreError) {
            return try FingerprintMatch(fingerprint, among: found, in: store).cards
        } catch { throw CardSearchError(error) }
    }

    /// Disconnects from cards that are not used: some readers serve one user at a time.
    private static func letGo(of cards: [CardAtHand]) async {
        for card in cards { await card.card.disconnect() }
    }

    /// The same, when something that does not answer as a tap card is most likely a card being put on the reader.
    func allReadable() async throws(CardSearchError) -> [CardAtHand] {
        do throws(CardSearchError) { return try await all() } catch {
            guard [.notATapCard, .cardMute, .transportFailed].contains(error.code) else { throw error }
            throw .unreadable
        }
    }

    /// What is on each of the readers, in order; all are examined at once.
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

    /// The card on a reader; `nil` if there is none.
    ///
    /// Wire: SELECT and `status`; `certs`, if certificates can show that it is simulated. A flow on the same line does
    /// not repeat them.
    func look(at reader: any CardReader) async throws(CardSearchError) -> CardAtHand? {
        let card = TapCard(reader: reader, trace: trace)
        let removals = hub.beginsLook(at: reader.spec)
        do {
            let asksRoot = simulated.mustAsk(on: reader)
            let (status, root) = try await card.perform { session in
                (session.status, asksRoot ? try Self.root(told: session) : nil)
            }
            simulated.found(status.ident, on: reader, certifiedBy: root)
            let found = CardAtHand(
                card: card, status: status, reader: reader, simulated: simulated, name: name(status.ident))
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

    /// - Returns: the root of the card's certificates; `nil` if they are invalid, which the card's proof will find out.
    private static func root(told session: TapSession) throws(TapError) -> PublicKey? {
        do throws(TapError) { return try session.claimedRoot() } catch {
            guard case .reader = error else { return nil }
            throw error
        }
    }

    /// The readers of every backend that can list them; at least one.
    func readers() throws(CardSearchError) -> [any CardReader] {
        let (readers, problems) = listed()
        guard readers.isEmpty else { return readers }
        if let problem = problems.first { throw problem }
        throw backends.first.map { CardSearchError($0.noReader) } ?? .noCard(choice, others: [])
    }

    /// The readers, and why some backends cannot list theirs.
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
