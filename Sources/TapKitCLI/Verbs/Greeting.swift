import TapManager
import TapProtocol
import Terminal

/// `tapkit` alone: what is on the reader, and what to do next.
enum Greeting {
    /// How long to wait for a card that does not answer: the user wants to know what to type.
    private static let limit = Duration.seconds(4)

    fileprivate struct Answer: Encodable {
        struct Card: Encodable {
            let product: String
            let ident: String
            let reader: String
            let simulated: Bool?
        }

        let cards: [Card]
        /// What to do next; absent if there is no card.
        let next: String?
        /// What is shown without `--json`: the cards, or the help.
        let text: String
    }

    /// The cards on the readers, and what to say about them.
    private struct Found {
        let cards: [CardAtHand]
        let next: String
        let lines: [String]
    }

    /// Reports the cards on the readers, if nothing else is requested.
    /// - Parameter arguments: those of the command line, with options moved after the verb.
    /// - Returns: false if something else is requested, or there is no card to report: then the help is more useful. With
    ///   `--json` the help is the answer.
    /// - Throws: why no card can be reported, if options say where to look.
    static func answer(_ arguments: [String]) async throws -> Bool {
        guard TapkitCommand.verb(of: arguments).isEmpty,
            let options = try? GlobalOptionsAlone.parse(arguments).options
        else { return false }
        let isPlaceNamed = arguments.contains { !["--json", "--progress"].contains($0) }
        let console = options.console
        switch await within(limit, { await Result { try await found(options) } }) {
        case .success(let found)?:
            console.answer(Answer(found.cards, next: found.next, found.lines), found.lines)
            return true
        case .failure(let error)? where isPlaceNamed: throw error
        case nil where isPlaceNamed: throw Failure(.timedOut, "The card does not answer.")
        case .failure(let error)?:
            let failure = Failure(unexpected: error)
            guard failure.code != .noCard, failure.code != .noReader else { break }
            console.note(
                screen: failure.lines.map { ScreenLine($0) } + CommandHint.screen(failure.hint) + [ScreenLine("")])
        case nil: break
        }
        if console.isJSON { JSONAnswer.write(Answer([], next: nil, try HelpText(width: nil).overview)) }
        return console.isJSON
    }

    private static func found(_ options: GlobalOptions) async throws -> Found {
        var options = options
        // Never wait for a card here.
        options.waitText = nil
        let invocation = try Invocation(options, to: .reading, usesCVC: false)
        let manager = invocation.manager
        let cards = try await manager.cards(invocation.choice)
        guard let card = cards.first, cards.count == 1 else {
            let next = "tapkit status --card IDENT, with the start of a card's ident"
            let titles = cards.map { "  \($0.title) on \($0.reader.spec)" }
            return Found(
                cards: cards, next: next,
                lines: ["\(cards.count.counted("card")):"] + titles + ["Next: \(next)", more])
        }
        let proof = try await manager.prove(card)
        let unfinished = manager.unfinished(of: card.ident).flows
        let unsent = proof.verdict.isAccepted ? (try? await manager.unsentSweeps(of: card)) ?? [] : []
        let text = StatusText(proof, of: card, on: invocation.network, unfinished: unfinished, unsent: unsent)
        return Found(cards: cards, next: text.next, lines: text.brief + [more])
    }

    private typealias Outcome = Result<Found, any Error>

    private static let more = "tapkit help lists every verb."

    /// A task's result, if it finishes in time; otherwise the task is abandoned.
    private static func within(
        _ limit: Duration, _ task: @escaping @Sendable () async -> Outcome
    ) async -> Outcome? {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome?.self)
        let working = Task { outcome.yield(await task()) }
        let waiting = Task {
            try? await Task.sleep(for: limit)
            outcome.yield(nil)
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        for await first in outcomes { return first }
        return nil
    }
}

extension Result where Failure == any Error {
    /// What a task returns or throws.
    fileprivate init(_ task: () async throws -> Success) async {
        do { self = .success(try await task()) } catch { self = .failure(error) }
    }
}

extension Greeting.Answer {
    fileprivate init(_ cards: [CardAtHand], next: String?, _ lines: [String]) {
        self.init(
            cards: cards.map {
                .init(
                    product: $0.status.product.rawValue, ident: $0.ident.description, reader: $0.reader.spec,
                    simulated: $0.isSimulated ? true : nil)
            }, next: next, text: lines.joined(separator: "\n"))
    }
}
