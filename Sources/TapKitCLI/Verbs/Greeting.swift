import TapManager
import TapProtocol

/// `tapkit` alone: what lies on the reader, and what to do with it.
enum Greeting {
    /// So long a card is waited for that does not answer, and no longer: somebody wants to know what to type.
    private static let limit = Duration.seconds(4)

    /// What is said of the cards that lie there.
    /// - Parameter arguments: the command line's, options moved behind the verb.
    /// - Returns: `nil` when something else is asked for than that, or no card can be told of: then the help is of more use.
    static func lines(_ arguments: [String]) async -> [String]? {
        guard TapkitCommand.verb(of: arguments).isEmpty,
            let options = try? GlobalOptionsAlone.parse(arguments).options, !options.isJSON
        else { return nil }
        return await within(limit) { try? await lines(options) }
    }

    private static func lines(_ options: GlobalOptions) async throws -> [String]? {
        var options = options
        // Nobody waits for a card here.
        options.waitText = nil
        let invocation = try Invocation(options, to: .reading, usesCVC: false)
        let manager = invocation.manager
        let cards = try await manager.cards(invocation.choice)
        guard let card = cards.first else { return nil }
        guard cards.count == 1 else {
            return ["\(cards.count.counted("card")):"] + cards.map { "  \($0.title) on \($0.reader.spec)" } + [
                "Next: tapkit status --card IDENT, with the beginning of a card's ident", more,
            ]
        }
        let proof = try await manager.prove(card)
        let unfinished = manager.unfinished(of: card.ident).flows
        let text = StatusText(proof, of: card, on: nil, unfinished: unfinished, unsent: [])
        return text.brief + [more]
    }

    private static let more = "tapkit help lists every verb."

    /// What a task comes to, if it does so in time. What does not end by then is left to itself.
    private static func within(
        _ limit: Duration, _ task: @escaping @Sendable () async -> [String]?
    ) async -> [String]? {
        let (outcomes, outcome) = AsyncStream.makeStream(of: [String]?.self)
        let working = Task { outcome.yield(await task()) }
        let waiting = Task {
            try? await Task.sleep(for: limit)
            outcome.yield(nil)
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        for await lines in outcomes { return lines }
        return nil
    }
}
