import AnswerDocuments
import ArgumentParser
import Settings
import SmartCard
import TapManager
import Terminal

/// `tapkit readers`: readers and the cards on them; with `--watch`, their events.
struct ReadersVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers", abstract: "List the readers and the cards on them.",
        discussion: """
            Without --reader, lists the readers of the PC/SC service and those that libnfc is configured for or finds \
            on USB, unless something else has claimed them.

            With --watch, reports each event on one line, until Ctrl-C: reader_attached, reader_detached, \
            card_inserted, card_removed. While a libnfc reader is watched, no other program can use it.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Report what happens at the readers, one line (or JSON object) for each event.")
    var watch = false

    func run() async throws {
        let invocation = try Invocation(options, to: .listing)
        let manager = invocation.manager
        if watch { return try await tellEvents(manager) }
        let (readers, problems) = try await manager.awaitedReaders()
        let looks = await manager.cards(on: readers)
        // If the only reader that was named does not exist, that is an error.
        if case .failure(let error)? = looks.first, looks.count == 1, error.code == .noReader {
            for problem in problems { options.console.note(lines: ProblemDocument(Failure(problem)).lines) }
            throw error
        }
        let rows = zip(readers, looks).map { ReaderDocument($0, $1) }
        let documents = problems.map { ProblemDocument(Failure($0)) }
        options.console.answer(
            ReadersDocument(rows, problems: [invocation.storeProblem].compactMap(\.self) + documents),
            options.console.lines(ReaderDocument.table(rows)), remarks: documents.flatMap(\.lines))
    }

    private func tellEvents(_ manager: CardManager) async throws {
        for problem in manager.readers().problems {
            options.console.note(lines: ProblemDocument(Failure(problem)).lines)
        }
        options.console.note("Watching the readers. Press Ctrl-C to stop.")
        for await event in manager.events(watchingReaders: true) {
            guard case .reader(let event) = event else { continue }
            let document = await EventDocument(event, manager)
            options.console.answer(document, [document.line], remarks: document.remarks)
            // Nobody reads the output any more: release the readers.
            guard !Console.hasLostOutput else { return }
        }
        var end = Failure.interrupted
        end.followsEvents = true
        throw end
    }
}
