/// Rows in aligned columns, for the user.
///
/// If the table does not fit the terminal, cells are cut where allowed; then optional columns are left out; then rows
/// take more lines. Amounts are never cut. Without a terminal, nothing is cut, left out or broken.
package struct Table {
    /// The contents of one column in a row.
    package struct Cell: Equatable {
        /// What happens to it if there is no room.
        package enum Kind {
            /// Cut at the end.
            case text
            /// A hash or address: cut in the middle, keeping more of the start, which identifies transactions.
            case code
            /// Never cut, and right-aligned.
            case amount
            /// Never cut.
            case whole
            /// Broken between words; only in the last column.
            case prose
        }

        /// Neutralized.
        package let text: String
        /// How it may be shortened.
        package let kind: Kind

        fileprivate init(_ text: String, _ kind: Kind) {
            (self.text, self.kind) = (TerminalText.neutralized(text), kind)
        }

        /// Words, such as a label, that are cut at the end; `nil`: an empty cell, here and below.
        package static func text(_ text: String?) -> Cell { Cell(text ?? "", .text) }
        /// A hash or address, cut in the middle.
        package static func code(_ text: String?) -> Cell { Cell(text ?? "", .code) }
        /// A sum, never cut. A column of these alone is right-aligned.
        package static func amount(_ text: String?) -> Cell { Cell(text ?? "", .amount) }
        /// Words that mean nothing when they are cut.
        package static func whole(_ text: String?) -> Cell { Cell(text ?? "", .whole) }
        /// A sentence, broken between words; for the last column.
        package static func prose(_ text: String?) -> Cell { Cell(text ?? "", .prose) }
    }

    /// A column.
    package struct Column {
        /// The header, if each row has one line.
        package let title: String
        /// The minimum width, in terminal columns, when it is cut.
        package var least = 8
        /// Whether it may be left out on a narrow terminal.
        package var isOptional = false

        /// A column that takes at least 8 terminal columns when it is cut, and is never left out, unless told otherwise.
        package init(title: String, least: Int = 8, isOptional: Bool = false) {
            (self.title, self.least, self.isOptional) = (title, least, isOptional)
        }
    }

    private struct Row {
        let cells: [Cell]
        let notes: [String]
    }

    private static let gap = 2
    /// The indentation of a row's further lines.
    private static let indent = 2

    private let columns: [Column]
    private let hasHeader: Bool
    private var rows: [Row] = []
    /// What shows that a cell was cut.
    private var ellipsis = "…"

    /// - Parameter hasHeader: whether there is a header line.
    package init(_ columns: [Column], hasHeader: Bool = true) {
        self.columns = columns
        self.hasHeader = hasHeader
    }

    /// Adds a row.
    /// - Parameters:
    ///   - cells: one for each column.
    ///   - notes: whole lines below the row that belong to it.
    package mutating func add(_ cells: [Cell], notes: [String] = []) {
        rows.append(Row(cells: cells, notes: notes))
    }

    /// The table in the characters that a terminal has, so that its columns fit with them, too.
    /// - Parameter write: what a text becomes, such as “...” for “…”.
    package func written(_ write: (String) -> String) -> Table {
        var table = self
        table.ellipsis = write(ellipsis)
        table.rows = rows.map { row in
            Row(cells: row.cells.map { Cell(write($0.text), $0.kind) }, notes: row.notes.map(write))
        }
        return table
    }

    /// The lines; none without rows.
    /// - Parameter width: the terminal's columns; `nil`: unlimited.
    package func lines(width: Int?) -> [String] {
        // Empty columns are left out.
        let filled = columns.indices.filter { index in rows.contains { !cell($0, index).text.isEmpty } }
        guard let width else {
            return lines([filled.map { ($0, natural($0, isTitled: hasHeader)) }], isTitled: hasHeader)
        }
        for shown in [filled, filled.filter { !columns[$0].isOptional }] {
            guard let fitted = fitted(shown, to: width, isTitled: hasHeader) else { continue }
            return lines([fitted], isTitled: hasHeader)
        }
        // Without its title, a second amount says nothing.
        let whole = broken(filled.filter { !(columns[$0].isOptional && isRight($0)) }, to: width)
        let short = whole.count > 2 ? broken(filled.filter { !columns[$0].isOptional }, to: width) : whole
        return lines(short, isTitled: false)
    }

    private func cell(_ row: Row, _ index: Int) -> Cell {
        row.cells.indices.contains(index) ? row.cells[index] : .text("")
    }

    // MARK: Widths

    private func natural(_ index: Int, isTitled: Bool) -> Int {
        let widths = rows.map { TextWidth.columns(of: cell($0, index).text) }
        return max(isTitled ? TextWidth.columns(of: columns[index].title) : 0, widths.max() ?? 0)
    }

    /// The smallest width that leaves enough of every cell.
    private func least(_ index: Int, isTitled: Bool) -> Int {
        let widths = rows.map { row in
            let cell = cell(row, index)
            let width = TextWidth.columns(of: cell.text)
            return switch cell.kind {
            case .amount, .whole: width
            case .text, .code, .prose: min(width, columns[index].least)
            }
        }
        return max(isTitled ? TextWidth.columns(of: columns[index].title) : 0, widths.max() ?? 0)
    }

    /// Widths with which the columns fit side by side; `nil` if they do not.
    private func fitted(_ shown: [Int], to width: Int, isTitled: Bool) -> [(Int, Int)]? {
        let room = width - Self.gap * max(0, shown.count - 1)
        let least = shown.map { self.least($0, isTitled: isTitled) }
        guard least.reduce(0, +) <= room else { return nil }
        var widths = shown.map { natural($0, isTitled: isTitled) }
        // The widest column is cut first.
        while widths.reduce(0, +) > room {
            guard let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            else { break }
            widths[widest] -= 1
        }
        return Array(zip(shown, widths))
    }

    /// The columns, in order, on as few lines as possible.
    private func broken(_ shown: [Int], to width: Int) -> [[(Int, Int)]] {
        var (lines, open) = ([[(Int, Int)]](), [Int]())
        func room() -> Int { width - (lines.isEmpty ? 0 : Self.indent) }
        for index in shown {
            if !open.isEmpty, fitted(open + [index], to: room(), isTitled: false) == nil {
                lines.append(fitted(open, to: room(), isTitled: false) ?? open.map { ($0, least($0, isTitled: false)) })
                open = []
            }
            open.append(index)
        }
        guard !open.isEmpty else { return lines }
        return lines + [fitted(open, to: room(), isTitled: false) ?? open.map { ($0, least($0, isTitled: false)) }]
    }

    // MARK: Lines

    private func lines(_ groups: [[(Int, Int)]], isTitled: Bool) -> [String] {
        guard !rows.isEmpty else { return [] }
        let header = groups.prefix(isTitled ? 1 : 0).map { group in
            line(group) { index, width in aligned(columns[index].title, width, isRight: isRight(index)) }
        }
        return header
            + rows.flatMap { row in
                groups.enumerated().flatMap { number, group -> [String] in
                    let margin = String(repeating: " ", count: number == 0 ? 0 : Self.indent)
                    return lines(of: row, group).map { margin + $0 }
                } + row.notes.map { String(repeating: " ", count: Self.indent) + $0 }
            }
    }

    /// Part of a row, on more than one line if its last column is broken; none if it is empty.
    private func lines(of row: Row, _ group: [(Int, Int)]) -> [String] {
        guard let last = group.last, group.contains(where: { !cell(row, $0.0).text.isEmpty }) else { return [] }
        let (end, kept) = (cell(row, last.0), group.dropLast())
        let pieces = end.kind == .prose ? Self.broken(end.text, last.1) : [cut(end, last.1)]
        func start(_ isFirst: Bool) -> String {
            kept.map { index, width in
                aligned(isFirst ? cut(cell(row, index), width) : "", width, isRight: isRight(index))
            }.map { $0 + String(repeating: " ", count: Self.gap) }.joined()
        }
        return pieces.enumerated().map { number, piece in
            let excess = TextWidth.columns(of: piece) - last.1
            var start = start(number == 0)
            // A longer word, such as a key, starts further to the left if it then fits.
            if number > 0, excess > 0 { start.removeLast(min(excess, max(0, start.count - Self.indent))) }
            return Self.trimmed(start + aligned(piece, last.1, isRight: isRight(last.0)))
        }
    }

    private func line(_ group: [(Int, Int)], _ text: (Int, Int) -> String) -> String {
        Self.trimmed(group.map(text).joined(separator: String(repeating: " ", count: Self.gap)))
    }

    private func isRight(_ index: Int) -> Bool {
        rows.contains { cell($0, index).kind == .amount } && rows.allSatisfy { cell($0, index).kind == .amount }
    }

    private func aligned(_ text: String, _ width: Int, isRight: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)))
        return isRight ? space + text : text + space
    }

    private static func trimmed(_ line: String) -> String {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// What is shown of a cell with this width.
    private func cut(_ cell: Cell, _ width: Int) -> String {
        guard TextWidth.columns(of: cell.text) > width else { return cell.text }
        let room = max(0, width - TextWidth.columns(of: ellipsis))
        switch cell.kind {
        case .amount, .whole, .prose: return cell.text
        case .text: return TextWidth.prefix(of: cell.text, columns: room) + ellipsis
        case .code:
            let tail = room / 3
            return TextWidth.prefix(of: cell.text, columns: room - tail) + ellipsis
                + TextWidth.suffix(of: cell.text, columns: tail)
        }
    }

    /// Text in lines of at most this width, broken between words; a longer word stays whole.
    private static func broken(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, TextWidth.columns(of: last) + 1 + TextWidth.columns(of: word) <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines
    }
}
