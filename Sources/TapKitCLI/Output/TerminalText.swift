/// Text from outside (cards, files, labels, servers), made harmless for a terminal.
enum TerminalText {
    /// The text with control, bidirectional-override and other invisible formatting characters replaced by `�`, so
    /// that it cannot move the cursor, change colours or reorder what is printed.
    /// - Parameter keepingLines: whether line ends stay, for texts of several lines that tapkit itself put together.
    static func neutralized(_ text: some StringProtocol, keepingLines: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKept = isHarmless(scalar) || (keepingLines && scalar == "\n")
            result.append(isKept ? scalar : "\u{FFFD}")
        }
        return String(result)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
