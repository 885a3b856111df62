/// Text from outside as a block that cannot be mistaken for the program's own lines, neither after a line end in it nor
/// where a terminal breaks a long line.
package struct QuotedText {
    /// The start of every line.
    private static let margin = "  | "

    /// The neutralized text in pieces, each on a separate line after the margin.
    package let lines: [String]

    /// - Parameter width: the terminal's columns. A character may take two columns.
    package init(_ text: String, width: Int) {
        let length = max(16, (width - Self.margin.count) / 2)
        // By scalars: a whole character may be wider than two columns.
        var rest = TerminalText.neutralized(text).unicodeScalars[...]
        var lines: [String] = []
        repeat {
            lines.append(Self.margin + String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        } while !rest.isEmpty
        self.lines = lines
    }
}
