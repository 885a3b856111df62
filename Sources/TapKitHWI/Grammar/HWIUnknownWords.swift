import FrontEndText

/// Words that nobody knows, as far as they may be repeated: one may be a password whose option was mistyped.
struct HWIUnknownWords {
    private var shown: [String] = []
    private var isEmpty = true

    /// What is said of them; `nil`: there are none.
    var complaint: String? {
        guard !isEmpty else { return nil }
        return "unrecognized arguments" + (shown.isEmpty ? "" : ": \(shown.joined(separator: " "))")
    }

    /// Adds a word: of an option its name without a value, of others those without a digit.
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

    /// A word behind what is said of it; empty when there is a digit in it.
    static func repeated(_ word: String) -> String {
        word.unicodeScalars.contains(where: isDigit) ? "" : ": '\(TerminalText.neutralized(word))'"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }
}
