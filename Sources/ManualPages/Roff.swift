/// Text for troff with the macros of man(7), escaped so that nothing in it is interpreted as a request.
package struct Roff {
    /// The maximum line length of the source; only a single word may exceed it.
    private static let width = 80

    /// The text written so far.
    package private(set) var text = ""
    /// Whether the last line is a heading, which starts a paragraph by itself.
    private var isAtHeading = false
    /// Long names of options whose value may be left out, such as `--wait`: no description of a command says so.
    package var optionsWithOptionalValue: Set<String> = []

    /// The page's heading.
    /// - Parameters:
    ///   - title: such as `tapkit-sign`.
    ///   - date: `YYYY-MM-DD`.
    ///   - source: program and version.
    ///   - manual: the title that all pages of the section share.
    package init(title: String, section: Int, date: String, source: String, manual: String) {
        line(".TH \(title.uppercased()) \(section) \(date) \(Self.quoted(source)) \(Self.quoted(manual))")
        // No hyphenation and no justification: names of options and files must not change.
        line(".nh")
        line(".ad l")
    }

    /// A section, in capitals by custom.
    package mutating func section(_ title: String) { line(".SH \(Self.quoted(title))") }

    /// A section within a section.
    package mutating func subsection(_ title: String) { line(".SS \(Self.quoted(title))") }

    /// A paragraph.
    package mutating func paragraph(_ text: String) { paragraph([.plain(text)]) }

    /// A paragraph with formatted words.
    package mutating func paragraph(_ spans: [Span]) {
        if !isAtHeading { line(".PP") }
        run(spans)
    }

    /// Text that continues where the last one ended.
    package mutating func run(_ text: String) { run([.plain(text)]) }

    private mutating func run(_ spans: [Span]) {
        var open = ""
        for word in Span.text(spans).split(whereSeparator: \.isWhitespace) {
            if !open.isEmpty, open.count + word.count >= Self.width {
                line(Self.guarded(open))
                open = ""
            }
            open += open.isEmpty ? word : " " + word
        }
        if !open.isEmpty { line(Self.guarded(open)) }
    }

    /// A tagged paragraph: the term, and what it means.
    package mutating func item(_ term: [Span], _ text: String) { item(term, [.plain(text)]) }

    /// A tagged paragraph whose meaning has formatted words.
    package mutating func item(_ term: [Span], _ meaning: [Span]) {
        line(".TP")
        line(Span.line(term))
        run(meaning)
    }

    /// A separate line within a paragraph.
    package mutating func ownLine(_ spans: [Span]) {
        line(".br")
        run(spans)
    }

    /// An item of a list.
    package mutating func bullet(_ spans: [Span]) {
        line(".IP \\(bu 2")
        run(spans)
    }

    /// An indented paragraph that belongs to the item before it.
    package mutating func continued(_ text: String) {
        line(".IP")
        run(text)
    }

    /// A paragraph with formatted words and a hanging indent.
    package mutating func hanging(_ spans: [Span]) {
        line(".HP 8")
        line(Span.line(spans))
    }

    /// Lines as written, indented.
    package mutating func verbatim(_ lines: [String]) {
        if !isAtHeading { line(".PP") }
        line(".RS 4")
        line(".nf")
        for text in lines { line(text.isEmpty ? "" : Self.escaped(text)) }
        line(".fi")
        line(".RE")
    }

    private mutating func line(_ line: String) {
        text += line + "\n"
        isAtHeading = line.hasPrefix(".S")
    }
}

extension Roff {
    /// A piece of a line, with its font.
    package enum Span {
        /// In the font of the text around it.
        case plain(String)
        /// As it is typed.
        case bold(String)
        /// In place of which something is typed; also emphasis.
        case italic(String)

        fileprivate static func line(_ spans: [Span]) -> String { Roff.guarded(text(spans)) }

        fileprivate static func text(_ spans: [Span]) -> String {
            spans.map { span in
                switch span {
                case .plain(let text): Roff.escapedInLine(text)
                case .bold(let text): "\\fB\(Roff.escapedInLine(text))\\fR"
                case .italic(let text): "\\fI\(Roff.escapedInLine(text))\\fR"
                }
            }.joined()
        }
    }

    /// One line of text that appears as written: no character in it is interpreted as a request, an escape or a
    /// typographic mark.
    package static func escaped(_ text: String) -> String { guarded(escapedInLine(text)) }

    private static func escapedInLine(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case "\n", "\t": result += " "
            default: result.append(character)
            }
        }
        return result
    }

    /// A line that does not start with a control character.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    /// One argument of a macro.
    private static func quoted(_ text: String) -> String { "\"\(escapedInLine(text))\"" }
}
