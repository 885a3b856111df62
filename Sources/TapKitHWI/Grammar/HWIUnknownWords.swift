import TextLayout

/// Unknown words, as far as they may be shown: one may be a password after a mistyped option.
struct HWIUnknownWords {
    private var shown: [String] = []
    private var isEmpty = true

    /// The error message; `nil`: there are no unknown words.
    var complaint: String? {
        guard !isEmpty else { return nil }
        return "unrecognized arguments" + (shown.isEmpty ? "" : ": \(shown.joined(separator: " "))")
    }

    /// Adds a word. Of an option, only the name is shown; other words are shown if they have no digits.
    mutating func add(_ word: String) {
        isEmpty = false
        let scalars = word.unicodeScalars
        var part = scalars[...]
        if HWIParser.beginsWithHyphen(word) {
            let isLong = scalars.dropFirst().first == "-"
            part = isLong ? scalars.prefix { $0 != "=" && !Self.isDigit($0) } : scalars.prefix(2)
        } else if scalars.contains(where: Self.isDigit) {
            return
        }
        shown.append(TerminalText.neutralized(String(part)))
    }

    /// The word for the end of a message; empty if it has a digit.
    static func repeated(_ word: String) -> String {
        word.unicodeScalars.contains(where: isDigit) ? "" : ": '\(TerminalText.neutralized(word))'"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }
}
