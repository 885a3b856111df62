import TapManager
import TapProtocol

/// `tapkit` alone: what is on the reader, and what to do next.
enum Greeting {
    /// How long to wait for a card that does not answer: the user wants to know what to type.
    private static let limit = Duration.seconds(4)

    /// What to say about the cards on the readers.
    /// - Parameter arguments: those of the command line, with options moved after the verb.
    /// - Returns: `nil` if something else is requested, or there is no card to report: then the help is more useful.
    /// - Throws: why no card can be reported, if options say where to look.
    static func lines(_ arguments: [String]) async throws -> [String]? {
        guard TapkitCommand.verb(of: arguments).isEmpty,
            let options = try? GlobalOptionsAlone.parse(arguments).options, !options.isJSON
        else { return nil }
        switch await within(limit, { await Result { try await lines(options) } }) {
        case .success(let lines)?: return lines
        case .failure(let error)? where !arguments.isEmpty: throw error
        case .failure(let error)?:
            let failure = Failure(unexpected: error)
            guard failure.code != .noCard, failure.code != .noReader else { return nil }
            options.console.note(lines: failure.lines + ["  \(failure.hint)", ""])
            return nil
        case nil: return nil
        }
    }

    private static func lines(_ options: GlobalOptions) async throws -> [String]? {
        var options = options
        // Never wait for a card here.
        options.waitText = nil
        let invocation = try Invocation(options, to: .reading, usesCVC: false)
        let manager = invocation.manager
        let cards = try await manager.cards(invocation.choice)
        guard let card = cards.first else { return nil }
        guard cards.count == 1 else {
            return ["\(cards.count.counted("card")):"] + cards.map { "  \($0.title) on \($0.reader.spec)" } + [
                "Next: tapkit status --card IDENT, with the start of a card's ident", more,
            ]
        }
        let proof = try await manager.prove(card)
        let unfinished = manager.unfinished(of: card.ident).flows
        let text = StatusText(proof, of: card, on: nil, unfinished: unfinished, unsent: [])
        return text.brief + [more]
    }

    private typealias Outcome = Result<[String]?, any Error>

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
