/// A table for other programs: a header line, then the rows.
///
/// Text from outside is made harmless: it has no line ends or control characters, and nothing that a spreadsheet
/// interprets as a formula. Spec: RFC 4180.
package struct CSVText {
    private var lines: [String]

    /// - Parameter titles: the columns' names.
    package init(_ titles: [String]) { lines = [Self.line(titles)] }

    /// Adds a row: a cell for each column.
    package mutating func add(_ cells: [String]) { lines.append(Self.line(cells)) }

    /// The lines, each with its end.
    package var text: String { lines.map { $0 + "\r\n" }.joined() }

    private static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

    private static func cell(_ text: String) -> String {
        var text = TerminalText.neutralized(text)
        // A number is not a formula.
        if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first), Int64(text) == nil {
            text = "'" + text
        }
        guard text.contains(where: { ",\"' ".contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
