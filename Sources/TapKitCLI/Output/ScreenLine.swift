/// A line for people on a terminal, before it is broken to its width and coloured.
struct ScreenLine: Equatable {
    /// How much a line matters.
    enum Weight {
        case plain
        /// What the screen is about: bold.
        case strong
        /// What could cost money: red and bold.
        case alarm
    }

    /// The text in one piece; spaces in front indent the whole of it.
    let text: String
    var weight = Weight.plain

    init(_ text: String, _ weight: Weight = .plain) { (self.text, self.weight) = (text, weight) }

    /// The line as a stream shows it, without its last line end: broken between words, what goes on indented. What is longer than a
    /// line, an address or a hash, stands on one of its own.
    func shown(in style: TerminalStyle) -> String {
        pieces(style).map { style.coloured($0, weight) }.joined(separator: "\n")
    }

    private func pieces(_ style: TerminalStyle) -> [String] {
        // First what is from outside is made harmless, then it is broken: no line end but ours.
        let text = style.written(TerminalText.neutralized(text))
        guard let columns = style.columns else { return [text] }
        let indent = String(text.prefix { $0 == " " })
        let hanging = indent + "  "
        var lines: [String] = []
        var line = indent
        for word in text.dropFirst(indent.count).split(separator: " ") {
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, line.count + 1 + word.count > columns {
                lines.append(line)
                line = hanging + word
            } else {
                line += (isFirst ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}

extension Console {
    /// Writes lines of the answer for people, as their terminal shows them.
    func say(screen: [ScreenLine]) { Self.write(screen, to: isJSON ? .error : .output) }

    /// Writes lines that are never part of an answer, as their terminal shows them.
    func note(screen: [ScreenLine]) { Self.write(screen, to: .error) }

    /// Writes a verb's answer: with `--json` the object, else the lines.
    /// - Parameter remarks: as in `answer(_:_:remarks:)`.
    func answer<Document: Encodable>(
        _ document: @autoclosure () -> Document, screen: @autoclosure () -> [ScreenLine],
        remarks: @autoclosure () -> [String] = []
    ) {
        guard !isJSON else { return JSONAnswer.write(document()) }
        say(screen: screen())
        note(lines: remarks())
    }

    private static func write(_ screen: [ScreenLine], to stream: Stream) {
        let style = TerminalStyle(of: stream.descriptor)
        write(screen.map { $0.shown(in: style) + "\n" }.joined(), to: stream.descriptor)
    }

    private enum Stream {
        case output, error

        var descriptor: Int32 { self == .output ? 1 : 2 }
    }
}
