import TextLayout

/// What the user probably meant, in messages of the command-line parser.
enum Suggestion {
    /// The parser's message without its suggestion if that is more than a typo away, or an option that answers
    /// questions, overwrites, sends or reveals: a typo must not lead to such an option.
    static func withoutRiskyOption(_ message: String) -> String {
        guard let said = message.prefixMatch(of: /(?s)(Unknown option '--?(.*)'\.) Did you mean '(-[-a-z0-9]+)'\?/),
            TypingSlip.name(for: String(said.2), among: [String(said.3.drop { $0 == "-" })]) == nil
                || dangerousOptions.contains(String(said.3))
        else { return message }
        return String(said.1 + message[said.range.upperBound...])
    }

    /// The parser's message about a value that is none of an option's or argument's, with the one that was probably
    /// meant.
    static func naming(value message: String) -> String {
        let start = " Please provide one of "
        guard message.hasPrefix("The value '"), let choices = message.range(of: start),
            let end = message.range(of: "' is invalid for '"), end.upperBound <= choices.lowerBound
        else { return message }
        let typed = message["The value '".endIndex..<end.lowerBound]
        let list = message[choices.upperBound...]
        let names =
            list.hasPrefix("the following:")
            ? list.split(separator: "\n").dropFirst().map { String($0.drop { " -".contains($0) }) }
            : list.split(separator: "'").enumerated().filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }
        guard let meant = TypingSlip.name(for: String(typed), among: names) else { return message }
        return message[..<choices.lowerBound] + " Did you mean “\(meant)”?" + message[choices.lowerBound...]
    }

    private static let dangerousOptions = [
        "-y", "--yes", "--accept", "--force", "--broadcast", "--all", "--drain", "--show-keys", "--allow-sighash",
        "--root-key", "--unconfirmed", "--keep-cvc",
    ]
}
