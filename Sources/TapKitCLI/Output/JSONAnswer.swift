import Glibc
import TapManager
import Terminal

/// The one JSON object that a verb answers with.
enum JSONAnswer {
    /// Writes the object and a line end to standard output, with keys in snake case and alphabetical order.
    static func write(_ answer: some Encodable) {
        Console.write(text(answer) + "\n", to: STDOUT_FILENO)
    }

    /// The object's text.
    static func text(_ answer: some Encodable) -> String { JSONDocument.answer(answer) }
}

extension Console {
    /// Writes a verb's answer: with `--json` the object, otherwise the lines.
    /// - Parameter remarks: further lines for the user, not for programs; they go to standard error.
    func answer<Document: Encodable>(
        _ document: @autoclosure () -> Document, _ lines: @autoclosure () -> [String],
        remarks: @autoclosure () -> [String] = []
    ) {
        guard !isJSON else { return JSONAnswer.write(document()) }
        say(lines: lines())
        note(lines: remarks())
    }

    /// Writes a verb's answer: with `--json` the object, otherwise the lines.
    /// - Parameter remarks: as in `answer(_:_:remarks:)`.
    func answer<Document: Encodable>(
        _ document: @autoclosure () -> Document, screen: @autoclosure () -> [ScreenLine],
        remarks: @autoclosure () -> [String] = []
    ) {
        guard !isJSON else { return JSONAnswer.write(document()) }
        say(screen: screen())
        note(lines: remarks())
    }
}
