import QRCodes
import Testing

extension QRCode {
    /// The modules as texts of 0 and 1, with a margin.
    package func rows(margin: Int) -> [String] {
        (-margin..<size + margin).map { row in
            String((-margin..<size + margin).map { self[$0, row] ? "1" : "0" })
        }
    }

    /// What a terminal would show, read back: the modules as texts of 0 and 1.
    ///
    /// Knows nothing but the two colours, their end and four blocks; a light row is the lower half of the last line.
    package static func rows(shownBy text: String, coloured: Bool) throws -> [String] {
        var rows: [String] = []
        try #require(text.hasSuffix("\n"))
        for var line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if coloured {
                let start = "\u{1B}[38;5;16;48;5;231m"
                let end = "\u{1B}[0m"
                try #require(line.hasPrefix(start) && line.hasSuffix(end))
                line = line.dropFirst(start.count).dropLast(end.count)
            }
            let blocks: Set<Character> = [" ", "▀", "▄", "█"]
            #expect(blocks.isSuperset(of: line), "\(line)")
            rows.append(String(line.map { "▀█".contains($0) ? "1" : "0" }))
            rows.append(String(line.map { "▄█".contains($0) ? "1" : "0" }))
        }
        let popped = rows.popLast()
        let last = try #require(popped)
        #expect(last.allSatisfy { $0 == "0" })
        return rows
    }
}
