import TextLayout

/// A line for a terminal, before it is broken to its width and coloured.
package struct ScreenLine: Equatable {
    /// How important a line is.
    package enum Weight {
        case plain
        /// What the screen is about: bold.
        case strong
        /// What could cost money: red and bold.
        case alarm
    }

    /// The text in one piece; leading spaces indent all its lines.
    package let text: String
    /// How it is set off; never by more than colours, so that nothing is lost without them.
    package var weight = Weight.plain
    /// Whether it is never broken, as a command that is to be copied.
    private var isWhole = false

    /// A line from any text: line ends and control characters in it are made visible when it is shown.
    package init(_ text: String, _ weight: Weight = .plain) { (self.text, self.weight) = (text, weight) }

    /// A line that is never broken, such as a command that is to be copied.
    package init(whole text: String) { (self.text, isWhole) = (text, true) }

    /// The line as a stream shows it, without its last line end: broken between words, with further lines indented. A
    /// word longer than a line, such as an address or hash, is placed on a separate line.
    package func shown(in style: TerminalStyle) -> String {
        pieces(style).map { style.coloured($0, weight) }.joined(separator: "\n")
    }

    private func pieces(_ style: TerminalStyle) -> [String] {
        // Text from outside is made harmless first, then broken, so that all line ends are ours.
        let text = style.written(TerminalText.neutralized(text))
        guard !isWhole, let columns = style.columns, text.count > columns else { return [text] }
        let indent = String(text.prefix { $0 == " " })
        let hanging = indent + "  "
        var lines: [String] = []
        var line = indent
        // Spaces that align what stands behind them are kept.
        var gap = ""
        for word in text.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                gap += " "
                continue
            }
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, line.count + gap.count + word.count > columns {
                lines.append(line)
                line = hanging + word
            } else {
                line += (isFirst ? "" : gap) + word
            }
            gap = " "
        }
        return lines + [line]
    }
}

extension Console {
    /// Writes lines of the answer for the user, in the style of the terminal.
    package func say(screen: [ScreenLine]) { Self.write(screen, to: isJSON ? .error : .output) }

    /// Writes lines that are never part of an answer, in the style of the terminal.
    package func note(screen: [ScreenLine]) { Self.write(screen, to: .error) }

    private static func write(_ screen: [ScreenLine], to stream: Stream) {
        let style = TerminalStyle(of: stream.descriptor)
        write(screen.map { $0.shown(in: style) + "\n" }.joined(), to: stream.descriptor)
    }

    private enum Stream {
        case output, error

        var descriptor: Int32 { self == .output ? 1 : 2 }
    }
}
