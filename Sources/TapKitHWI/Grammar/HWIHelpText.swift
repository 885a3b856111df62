/// The help text of HWI or one of its commands.
struct HWIHelpText {
    private static let width = 80
    /// The column where meanings start.
    private static let column = 26

    /// The text, line by line.
    let lines: [String]

    /// - Parameter command: `nil`: HWI itself.
    init(_ command: HWIGrammar?) {
        let grammar = command ?? .hwi
        var lines = Self.filled("OVERVIEW: \(grammar.abstract)")
        for paragraph in grammar.discussion.split(separator: "\n") { lines += [""] + Self.filled(String(paragraph)) }
        lines += ["", "USAGE: \(Self.usage(command))"]
        if !grammar.operands.isEmpty {
            lines += ["", "ARGUMENTS:"]
            for operand in grammar.operands { lines += Self.item("<\(operand.name)>", operand.help) }
        }
        lines += ["", "OPTIONS:"]
        let own = command == nil ? [] : grammar.options
        for option in HWIGlobals.options + own + [HWIGrammar.version, HWIGrammar.help] {
            lines += Self.item(Self.term(option), option.help)
        }
        if command == nil {
            lines += ["", "SUBCOMMANDS:"]
            for command in HWIProgram.all { lines += Self.item(command.grammar.name, command.grammar.abstract) }
            lines += ["", "  See 'hwi <subcommand> --help' for detailed help."]
        }
        self.lines = lines
    }

    /// The usage of a command; `nil`: HWI itself.
    static func usage(_ command: HWIGrammar?) -> String {
        guard let command else { return "hwi [<options>] <subcommand>" }
        return (["hwi", command.name, "[<options>]"] + command.operands.map { "<\($0.name)>" }).joined(separator: " ")
    }

    private static func term(_ option: HWIOption) -> String {
        let names = (option.short.map { ["-\($0)"] } ?? []) + option.long.map { "--\($0)" }
        return names.joined(separator: ", ") + (option.value.name.map { " <\($0)>" } ?? "")
    }

    private static func item(_ term: String, _ meaning: String) -> [String] {
        let margin = String(repeating: " ", count: column)
        let lines = filled(meaning, width: width - column).map { margin + $0 }
        let term = "  \(term)"
        guard term.count < column, let first = lines.first else { return [term] + lines }
        return [term + String(first.dropFirst(term.count))] + lines.dropFirst()
    }

    private static func filled(_ text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
