/// Text for troff with the macros of man(7), escaped so that nothing in it is taken for a request.
struct Roff {
    /// How long lines of the source are; more only for a single word.
    private static let width = 80

    /// What was written so far, in lines.
    private(set) var text = ""
    /// Whether the last line is a heading, which begins a paragraph by itself.
    private var isAtHeading = false

    /// The page's heading.
    /// - Parameters:
    ///   - title: such as `tapkit-sign`.
    ///   - date: `YYYY-MM-DD`.
    ///   - source: program and version.
    ///   - manual: what all pages of the section are called.
    init(title: String, section: Int, date: String, source: String, manual: String) {
        line(".TH \(title.uppercased()) \(section) \(date) \(Self.quoted(source)) \(Self.quoted(manual))")
        // No hyphenation and no filling up with spaces: names of options and files must stay what they are.
        line(".nh")
        line(".ad l")
    }

    /// A section, in capitals by custom.
    mutating func section(_ title: String) { line(".SH \(Self.quoted(title))") }

    /// A section within a section.
    mutating func subsection(_ title: String) { line(".SS \(Self.quoted(title))") }

    /// A paragraph.
    mutating func paragraph(_ text: String) { paragraph([.plain(text)]) }

    /// A paragraph with marked words.
    mutating func paragraph(_ spans: [Span]) {
        if !isAtHeading { line(".PP") }
        run(spans)
    }

    /// Text that goes on where the last one ended.
    mutating func run(_ text: String) { run([.plain(text)]) }

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
    mutating func item(_ term: [Span], _ text: String) { item(term, [.plain(text)]) }

    /// A tagged paragraph whose meaning has marked words.
    mutating func item(_ term: [Span], _ meaning: [Span]) {
        line(".TP")
        line(Span.line(term))
        run(meaning)
    }

    /// A line of its own within a paragraph.
    mutating func ownLine(_ spans: [Span]) {
        line(".br")
        run(spans)
    }

    /// An item of a list.
    mutating func bullet(_ spans: [Span]) {
        line(".IP \\(bu 2")
        run(spans)
    }

    /// A paragraph further in, which belongs to the item before it.
    mutating func continued(_ text: String) {
        line(".IP")
        run(text)
    }

    /// Lines with marked words, filled like a paragraph, whose second and further lines are further in.
    mutating func hanging(_ spans: [Span]) {
        line(".HP 8")
        line(Span.line(spans))
    }

    /// Lines as they stand, further in.
    mutating func verbatim(_ lines: [String]) {
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
    enum Span {
        case plain(String)
        case bold(String)
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

    /// Text of one line that shows as it is: no character in it is a request, an escape or a typographic mark.
    static func escaped(_ text: String) -> String { guarded(escapedInLine(text)) }

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

    /// A line that does not begin with a control character.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    /// One argument of a macro.
    private static func quoted(_ text: String) -> String { "\"\(escapedInLine(text))\"" }
}
