import ArgumentParser
import CardReaders
import SmartCard

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
        let choice = try ReaderChoice(options)
        if watch { return try await tellEvents(choice) }
        let (readers, problems) = try await list(choice)
        guard !readers.isEmpty else { throw problems.first ?? Failure(PCSCBackend.noReader) }
        let looks = await choice.finder.looks(at: readers)
        // A reader that was asked for by name and is not there is no reader.
        if case .failure(let failure)? = looks.first, looks.count == 1, failure.code == .noReader {
            for problem in problems { options.console.note(lines: ProblemDocument(problem).lines) }
            throw failure
        }
        let rows = zip(readers, looks).map { ReaderDocument($0, $1) }
        if options.isJSON {
            let problems = problems.map(ProblemDocument.init)
            JSONAnswer.write(Answer(readers: rows, problems: problems.isEmpty ? nil : problems))
        } else {
            for row in rows { options.console.say(lines: row.lines) }
            for problem in problems { options.console.note(lines: ProblemDocument(problem).lines) }
        }
    }

    private func list(
        _ choice: ReaderChoice
    ) async throws(Failure) -> (readers: [any CardReader], problems: [Failure]) {
        guard let waiting = try options.waiting() else { return choice.readers() }
        return try await choice.readers(waiting, console: options.console)
    }

    private func tellEvents(_ choice: ReaderChoice) async throws {
        for problem in choice.readers().problems { options.console.note(lines: ProblemDocument(problem).lines) }
        options.console.note("Watching the readers; Ctrl-C ends it.")
        for await event in choice.events() {
            let document = await EventDocument(event, finder: choice.finder)
            if options.isJSON { JSONAnswer.write(document) } else { options.console.say(document.line) }
            // Nobody listens any more: the readers are free for others.
            guard !Console.hasLostOutput else { return }
        }
        throw Failure.interrupted
    }
}
