/// Text from outside (cards, files, labels, servers), made harmless for a terminal.
package enum TerminalText {
    /// The text with control, bidirectional-override and other invisible formatting characters replaced by `�`, so that
    /// it cannot move the cursor, change colours or reorder what is printed. Line ends are replaced as well.
    package static func neutralized(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
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
