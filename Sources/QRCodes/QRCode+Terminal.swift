extension QRCode {
    /// Modules of margin when a terminal has no room for four; scanners cope with two.
    package static let narrowQuietZone = 2

    /// How the modules of a code appear on a terminal.
    package enum TerminalStyle: Sendable {
        /// Black on white in explicit colours, which scans on dark and light terminals alike.
        case coloured
        /// Plain blocks: a block is a dark module, like ink on paper. For files, pipes and terminals without colours.
        case plain
    }

    /// The code in half blocks, two rows of modules per line; every line ends with a line feed.
    ///
    /// The margin is four modules, or two if the code fits into `columns` and `lines` only that way.
    /// - Parameters:
    ///   - columns: the terminal's width; `nil` for no limit.
    ///   - lines: the terminal's height; a code that does not fit even with the smaller margin scrolls.
    /// - Throws: `.terminalTooNarrow`, because a code with wrapped lines cannot be scanned.
    package func terminalText(_ style: TerminalStyle, columns: Int?, lines: Int? = nil) throws(QRCodeError) -> String {
        var margin = Self.quietZone
        if let lines, 2 * lines < size + 2 * margin { margin = Self.narrowQuietZone }
        if let columns, columns < size + 2 * margin {
            margin = Self.narrowQuietZone
            let needed = size + 2 * margin
            guard columns >= needed else { throw .terminalTooNarrow(needed: needed, columns: columns) }
        }
        let places = -margin..<size + margin
        var text = ""
        for row in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
            let blocks = places.map { column in Self.block(upper: self[column, row], lower: self[column, row + 1]) }
            text += style.lineStart + String(blocks) + style.lineEnd + "\n"
        }
        return text
    }

    private static func block(upper: Bool, lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

extension QRCode.TerminalStyle {
    /// Of the 256 colours, 16 and 231 are black and white in every theme; 30 and 47 often are not.
    fileprivate var lineStart: String { self == .coloured ? "\u{1B}[38;5;16;48;5;231m" : "" }

    /// Colours are reset before the line ends, or the terminal would fill the rest of it.
    fileprivate var lineEnd: String { self == .coloured ? "\u{1B}[0m" : "" }
}
