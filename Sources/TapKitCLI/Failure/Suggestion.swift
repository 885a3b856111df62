/// What the user probably meant by a mistyped word.
enum Suggestion {
    /// The name that is one or two typos away, less than half of the word, or else the only one that begins like this;
    /// `nil` if there is none, or the word is too short to tell.
    static func name(for typed: String, among names: [String]) -> String? {
        let typed = typed.lowercased()
        guard typed.count > 1 else { return nil }
        let near = names.compactMap { name in slips(from: typed, to: name).map { (name: name, slips: $0) } }
        let begun = names.filter { $0.hasPrefix(typed) }
        return near.min { ($0.slips, $0.name) < ($1.slips, $1.name) }?.name ?? (begun.count == 1 ? begun[0] : nil)
    }

    /// The parser's message without its suggestion if that is more than a typo away, or an option that answers
    /// questions, overwrites, sends or reveals: a typo must not lead to such an option.
    static func withoutRiskyOption(_ message: String) -> String {
        guard let said = message.prefixMatch(of: /(?s)(Unknown option '--?(.*)'\.) Did you mean '(-[-a-z0-9]+)'\?/),
            slips(from: said.2.lowercased(), to: said.3.drop { $0 == "-" }) == nil
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
        guard let meant = name(for: String(typed), among: names) else { return message }
        return message[..<choices.lowerBound] + " Did you mean “\(meant)”?" + message[choices.lowerBound...]
    }

    private static let dangerousOptions = [
        "-y", "--yes", "--accept", "--force", "--broadcast", "--all", "--drain", "--show-keys", "--allow-sighash",
        "--root-key", "--unconfirmed", "--keep-cvc",
    ]

    /// All names are less than half as long.
    private static let longest = 40

    /// How many letters are missing, extra, wrong, or swapped with their neighbour; `nil` if more than two, or half of
    /// the word.
    private static func slips(from typed: some StringProtocol, to name: some StringProtocol) -> Int? {
        let slips = distance(from: Array(typed.prefix(longest)), to: Array(name))
        return slips <= 2 && slips * 2 < typed.count ? slips : nil
    }

    private static func distance(from typed: [Character], to name: [Character]) -> Int {
        guard !typed.isEmpty, !name.isEmpty else { return max(typed.count, name.count) }
        var rows = [Array(0...name.count)]
        for row in 1...typed.count {
            var current = [row]
            for column in 1...name.count {
                let isSame = typed[row - 1] == name[column - 1]
                var least = min(
                    rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, typed[row - 1] == name[column - 2], typed[row - 2] == name[column - 1] {
                    least = min(least, rows[row - 2][column - 2] + 1)
                }
                current.append(least)
            }
            rows.append(current)
        }
        return rows[typed.count][name.count]
    }
}
