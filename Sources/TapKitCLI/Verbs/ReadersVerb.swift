import ArgumentParser
import SmartCard
import TapManager

/// `tapkit readers`: readers and what lies on them; with `--watch`, what happens at them.
struct ReadersVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers", abstract: "The readers, and what lies on them.",
        discussion: """
            Without --reader, those of the PC/SC service and those that libnfc is configured for or finds on USB.

            With --watch, one line for each event as it happens, until Ctrl-C: reader_attached, reader_detached, \
            card_inserted, card_removed. A libnfc reader that is watched is in use: no other program can have it.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Tell what happens at the readers, one line (or JSON object) for each event.")
    var watch = false

    private struct Answer: Encodable {
        let readers: [ReaderDocument]
        let problems: [ProblemDocument]?
    }

    func run() async throws {
        let named = try options.namedReaderSpec()
        let person = PersonInteraction.onTerminal(options.console, accepting: try options.acceptance())
        var equipment = try options.equipment()
        if named == nil { equipment.readers = ReaderSpec.every }
        let manager = equipment.manager(over: store(), asking: person)
        if watch { return try await tellEvents(manager) }
        let (readers, problems) = try await manager.awaitedReaders()
        let looks = await manager.cards(on: readers)
        // A reader that was asked for by name and is not there is no reader.
        if case .failure(let error)? = looks.first, looks.count == 1, error.code == .noReader {
            for problem in problems { options.console.note(lines: ProblemDocument(Failure(problem)).lines) }
            throw error
        }
        let rows = zip(readers, looks).map { ReaderDocument($0, $1) }
        let documents = problems.map { ProblemDocument(Failure($0)) }
        options.console.answer(
            Answer(readers: rows, problems: documents.isEmpty ? nil : documents),
            options.console.lines(ReaderDocument.table(rows)), remarks: documents.flatMap(\.lines))
    }

    /// Where it stands what cards are called. One that cannot be used keeps nobody from looking, but that is said.
    private func store() -> any Store {
        do throws(Failure) { return try options.storeFolder().existing() ?? MemoryStore() } catch {
            options.console.note(error.message)
            return MemoryStore()
        }
    }

    private func tellEvents(_ manager: CardManager) async throws {
        for problem in manager.readers().problems {
            options.console.note(lines: ProblemDocument(Failure(problem)).lines)
        }
        options.console.note("Watching the readers; Ctrl-C ends it.")
        for await event in manager.events(watchingReaders: true) {
            guard case .reader(let event) = event else { continue }
            let document = await EventDocument(event, manager)
            options.console.answer(document, [document.line])
            // Nobody listens any more: the readers are free for others.
            guard !Console.hasLostOutput else { return }
        }
        throw Failure.interrupted
    }
}
