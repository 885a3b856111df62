/// A text from outside as a block that cannot be mistaken for the program's own lines: neither by a line end in it nor where
/// a terminal breaks a long line does it begin one.
struct QuotedText {
    /// What every line begins with.
    static let margin = "  | "

    /// The text in pieces, neutralized, each on a line of its own behind the margin.
    let lines: [String]

    /// - Parameter width: the terminal's columns. A character may take two of them.
    init(_ text: String, width: Int) {
        let length = max(16, (width - Self.margin.count) / 2)
        // Not by what readers take for one character: that may be wider than two columns.
        var rest = TerminalText.neutralized(text).unicodeScalars[...]
        var lines: [String] = []
        repeat {
            lines.append(Self.margin + String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        } while !rest.isEmpty
        self.lines = lines
    }
}
