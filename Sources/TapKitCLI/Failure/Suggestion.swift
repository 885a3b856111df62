/// What the user probably meant by a mistyped word.
enum Suggestion {
    /// The name that is one or two typos away; `nil` if there is none, or the word is too short to tell.
    static func name(for typed: String, among names: [String]) -> String? {
        let typed = Array(typed.lowercased().prefix(longest))
        guard typed.count > 2 else { return nil }
        let near = names.map { (name: $0, slips: slips(from: typed, to: Array($0))) }.filter {
            $0.slips <= min(2, $0.name.count / 2)
        }
        return near.min { ($0.slips, $0.name) < ($1.slips, $1.name) }?.name
    }

    /// The parser's message without its suggestion if that is an option that answers questions, overwrites, sends or
    /// reveals: a typo must not lead to such an option.
    static func withoutDangerousOptions(_ message: String) -> String {
        dangerousOptions.reduce(message) { $0.replacing(" Did you mean '\($1)'?", with: "") }
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

    /// How many letters are missing, extra, wrong, or swapped with their neighbour.
    private static func slips(from typed: [Character], to name: [Character]) -> Int {
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
