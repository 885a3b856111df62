import ExplainedErrors
import TextLayout

/// Messages of the command-line parser, which repeats arguments as they are.
enum ParserMessage {
    /// The parser's message for the user: dangerous and far-fetched options are not suggested, what is missing is named
    /// as in the help's texts, arguments are made harmless, and it ends like a sentence.
    static func lines(_ message: String, repeating arguments: [String]) -> [String] {
        let said = naming(missing: Suggestion.withoutRiskyOption(message))
        let message = neutralized(Suggestion.naming(value: said), repeating: arguments)
        let lines = message.split(separator: "\n").map(String.init)
        return lines.count == 1 ? lines.map(\.asSentence) : lines
    }

    /// The parser's message about what is missing, in plain words: “Missing FILE”, “Missing --to ADDRESS=AMOUNT”,
    /// “Missing NAME after --wallet”.
    private static func naming(missing message: String) -> String {
        let argument = /Missing (expected argument|value for) '(?:(--?[-a-z0-9]+) )?<([^<>']+)>(?: \.\.\.)?'/
        guard let said = message.wholeMatch(of: argument) else { return message }
        let name = said.3.uppercased()
        guard let option = said.2 else { return "Missing \(name)" }
        return said.1 == "value for" ? "Missing \(name) after \(option)" : "Missing \(option) \(name)"
    }

    /// Where to find help about a message: at the verb or, for an unknown option, also among the options of every verb.
    /// Texts with spaces or & are one argument only in quotes.
    static func hint(_ message: String, verb: [String]) -> String {
        let help = TapkitCommand.helpHint(verb)
        if message.hasPrefix("Unknown option") { return "\(help) tapkit help options lists those of every verb." }
        let quoted = ["message": "message", "url": "link"][verb.first ?? ""]
        guard let quoted, message.contains(/[Uu]nexpected argument|'<(text|link)>'/) else { return help }
        return "Put the \(quoted) in quotes. \(help)"
    }

    /// The message with each argument in it made harmless, including line ends, so that none starts a new line. The
    /// message's own line ends stay.
    static func neutralized(_ message: String, repeating arguments: [String]) -> String {
        let parts = Set(arguments.flatMap(parts)).filter { TerminalText.neutralized($0) != $0 }
        // Replacing a part first would hide the whole.
        let longestFirst = parts.sorted { $0.unicodeScalars.count > $1.unicodeScalars.count }
        // By scalars: a mark that combines with the quotation mark before it would hide the argument.
        var scalars = message.unicodeScalars
        for part in longestFirst {
            scalars = scalars.replacing(part.unicodeScalars, with: TerminalText.neutralized(part).unicodeScalars)
        }
        return String(scalars)
    }

    /// What the parser may repeat of an argument: all of it, or an option's name or value.
    private static func parts(_ argument: String) -> [String] {
        let scalars = argument.unicodeScalars
        var parts = [scalars[...]]
        if argument.hasPrefix("-"), let sign = scalars.firstIndex(of: "=") {
            parts += [scalars[..<sign], scalars[scalars.index(after: sign)...]]
        }
        if argument.hasPrefix("-"), !argument.hasPrefix("--") { parts.append(scalars.dropFirst(2)) }
        return parts.filter { !$0.isEmpty }.map { String($0) }
    }
}
