/// Text broken to a terminal's width, only between words. A word longer than a line stays whole.
package enum WrappedText {
    /// - Parameters:
    ///   - first: the start of the first line.
    ///   - rest: the start of the other lines.
    ///   - joint: the end of every line but the last.
    package static func lines(
        _ text: String, width: Int, first: String = "", rest: String = "", joint: String = ""
    ) -> [String] {
        var lines: [String] = []
        var open = first
        var isFresh = true
        for word in text.split(separator: " ") {
            if !isFresh, open.count + 1 + word.count + joint.count > width {
                lines.append(open + joint)
                (open, isFresh) = (rest, true)
            }
            open += (isFresh ? "" : " ") + word
            isFresh = false
        }
        return isFresh ? lines : lines + [open]
    }

    /// Terms with their meanings beside them, or below if there is no room.
    package static func items(_ items: [(term: String, meaning: String)], width: Int) -> [String] {
        let fitting = items.map(\.term.count).filter { $0 <= longestTermBeside }.max() ?? 0
        let column = width < narrow ? 0 : fitting + 4
        return items.flatMap { item(term: $0.term, meaning: $0.meaning, column: column, width: width) }
    }

    private static func item(term: String, meaning: String, column: Int, width: Int) -> [String] {
        guard term.count + 4 <= column else {
            let margin = String(repeating: " ", count: max(6, column))
            return lines(term, width: width, first: "  ", rest: "      ")
                + lines(meaning, width: width, first: margin, rest: margin)
        }
        let gap = String(repeating: " ", count: column - term.count - 2)
        return lines(
            meaning, width: width, first: "  " + term + gap, rest: String(repeating: " ", count: column))
    }

    /// With fewer columns, nothing is placed side by side.
    private static let narrow = 72
    private static let longestTermBeside = 30
}
