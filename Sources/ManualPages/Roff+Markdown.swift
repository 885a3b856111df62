/// Converts the handbook's Markdown for the manual.
extension Roff {
    /// Everything after a page's title and first paragraph.
    package mutating func markdown(_ blocks: some Sequence<MarkdownBlock>) {
        for block in blocks {
            switch block {
            case .heading(2, let title): section(title == "Overview" ? "DESCRIPTION" : title.uppercased())
            case .heading(_, let title): subsection(title)
            case .paragraph(let text): paragraph(Span.markdown(text))
            case .list(let items): for item in items { bullet(Span.markdown(item)) }
            case .code(let lines): verbatim(lines)
            case .table(let rows): table(rows)
            }
        }
    }

    /// A table as one item for each row, which fits every terminal. If there are three or more columns, each cell has a
    /// separate line with the column's name.
    private mutating func table(_ rows: [[String]]) {
        let names = rows.first ?? []
        for row in rows.dropFirst() {
            let cells = zip(names, row).dropFirst().filter { !$0.1.isEmpty }
                .map { Span.markdown(names.count > 2 ? "\($0): \($1)" : $1) }
            item(Span.markdown(row.first ?? ""), cells.first ?? [])
            for cell in cells.dropFirst() { ownLine(cell) }
        }
    }
}

extension Roff.Span {
    /// A line of Markdown: `code` and **bold** in bold, *italics*, links to pages of the handbook and to the web.
    package static func markdown(_ text: String) -> [Roff.Span] {
        var spans: [Roff.Span] = []
        var rest = text[...]
        var plain = ""
        while let mark = rest.firstIndex(where: { "`*<".contains($0) }) {
            plain += rest[..<mark]
            rest = rest[mark...]
            guard let (span, end) = marked(rest) else {
                plain.append(rest.removeFirst())
                continue
            }
            spans += [.plain(plain)] + span
            plain = ""
            rest = rest[end...]
        }
        return spans + [.plain(plain + rest)]
    }

    /// The formatted text at the start of a text, and where it ends.
    private static func marked(_ text: Substring) -> ([Roff.Span], Substring.Index)? {
        if let code = text.prefixMatch(of: /`([^`]+)`/) { return ([.bold(String(code.1))], code.0.endIndex) }
        if let bold = text.prefixMatch(of: /\*\*(.+?)\*\*/) {
            return ([.bold(bold.1.filter { $0 != "`" })], bold.0.endIndex)
        }
        if let italic = text.prefixMatch(of: /\*([^*\s][^*]*)\*/) {
            return ([.italic(String(italic.1))], italic.0.endIndex)
        }
        if let page = text.prefixMatch(of: /<doc:(\w+)>/) {
            let name = ManualPage.name(ofVerb: page.1.lowercased())
            return ([.bold(name), .plain("(\(ManualPage.Section.handbook.rawValue))")], page.0.endIndex)
        }
        if let link = text.prefixMatch(of: /<(https?:[^>]+)>/) { return ([.plain(String(link.1))], link.0.endIndex) }
        return nil
    }
}
