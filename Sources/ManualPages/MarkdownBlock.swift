/// A block of a Markdown page: the kinds that the handbook's pages use.
package enum MarkdownBlock: Equatable {
    /// The number of `#`, and the text after them.
    case heading(Int, String)
    case paragraph(String)
    /// The items, one line each.
    case list([String])
    /// The lines between the fences, as written.
    case code([String])
    /// Rows of cells; the first one names the columns.
    case table([[String]])

    /// A page, from top to bottom. Pictures are left out.
    package static func blocks(of page: String) -> [MarkdownBlock] {
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var blocks: [MarkdownBlock] = []
        while let line = lines.first {
            if line.isEmpty || line.hasPrefix("![") {
                lines.removeFirst()
            } else if line.hasPrefix("```") {
                let code = lines.dropFirst().prefix { !$0.hasPrefix("```") }
                blocks.append(.code(code.map(String.init)))
                lines = lines.dropFirst(code.count + 2)
            } else if line.hasPrefix("#") {
                let marks = line.prefix { $0 == "#" }
                blocks.append(.heading(marks.count, line.dropFirst(marks.count + 1).description))
                lines.removeFirst()
            } else {
                let own = lines.prefix { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("```") }
                blocks.append(block(of: own))
                lines = lines.dropFirst(own.count)
            }
        }
        return blocks
    }

    /// The block that consecutive non-empty lines form.
    private static func block(of lines: ArraySlice<Substring>) -> MarkdownBlock {
        if lines.allSatisfy({ $0.hasPrefix("|") }) {
            return .table(lines.filter { $0.contains { !"|-: ".contains($0) } }.map(cells))
        }
        guard lines.first?.hasPrefix(bullet) == true else { return .paragraph(lines.joined(separator: " ")) }
        return .list(
            lines.reduce(into: []) { items, line in
                if line.hasPrefix(bullet) {
                    items.append(line.dropFirst(bullet.count).description)
                } else if let last = items.popLast() {
                    items.append("\(last) \(line.drop { $0 == " " })")
                }
            })
    }

    private static let bullet = "- "

    private static func cells(of row: Substring) -> [String] {
        row.split(separator: "|").map { cell in
            let text = cell.drop { $0 == " " }
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }
}
