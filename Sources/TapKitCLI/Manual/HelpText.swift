import ManualPages
import TextLayout

/// What `tapkit help VERB` and `--help` show: a verb's own options first, and one line about those that verbs share.
struct HelpText {
    private let width: Int
    private let globalOptions: [CommandDescription.Argument]

    /// - Parameter width: the terminal's columns, at most 100 of which are used; `nil`: no terminal.
    /// - Throws: `Failure.internalError`.
    init(width: Int?) throws(Failure) {
        self.width = min(max(width ?? Self.usual, Self.least), Self.most)
        globalOptions = try CommandDescription.globalOptions()
    }

    private static let usual = 80
    /// A space where lines do not break.
    private static let held = "\u{A0}"
    private static let least = 30
    private static let most = 100

    /// The verbs, grouped by task.
    var overview: [String] {
        let tapkit = TapkitCommand.configuration
        var lines = paragraph(tapkit.abstract) + [""] + discussion(tapkit.discussion)
        for group in tapkit.groupedSubcommands {
            let verbs = group.subcommands.filter { $0.configuration.shouldDisplay }
            lines += section(group.name, verbs.map { ($0._commandName, $0.configuration.abstract) })
        }
        let topics = HelpVerb.Topic.allCases.map { ("tapkit help \($0)", $0.meaning) }
        return lines + section("More", [("tapkit help VERB", "A verb with its options, and examples.")] + topics)
    }

    /// A verb, by its words, outermost first; without any, the overview.
    /// - Throws: `Failure.internalError`.
    func verb(_ words: [String]) throws(Failure) -> [String] {
        words.isEmpty ? overview : verb(words, try .verb(words))
    }

    /// A verb, by its words and its description.
    func verb(_ words: [String], _ command: CommandDescription) -> [String] {
        let own = command.shownArguments.filter { !globalOptions.contains($0) }
        let name = (["tapkit"] + words).joined(separator: " ")
        var lines = paragraph(command.abstract ?? "")
        if let text = command.discussion { lines += [""] + discussion(text) }
        lines += ["", "USAGE:"] + usages(of: command, name, own)
        lines += section("ARGUMENTS", own.filter { $0.kind == .positional }.map(item))
        lines += section("OPTIONS", own.filter { $0.kind != .positional }.map(item))
        lines += section("SUBCOMMANDS", command.shownSubcommands.map { ($0.commandName, $0.abstract ?? "") })
        if !command.shownSubcommands.isEmpty { lines += [""] + paragraph("See \(name.explained) SUBCOMMAND.") }
        let shared = globalOptions.filter(command.shownArguments.contains).map(\.identity)
        if !shared.isEmpty {
            let names = Self.common.filter(shared.contains).joined(separator: ", ")
            lines += [""] + paragraph("It also takes \(names), and more: tapkit help options.")
        }
        let examples = CommandExample.beginning(with: words)
        return examples.isEmpty ? lines : lines + ["", "EXAMPLES:"] + examples.flatMap(example)
    }

    /// The options that verbs share.
    var options: [String] {
        paragraph(
            "Verbs take these options, before or after the verb; serve and ui take only those that suit every task.")
            + section("OPTIONS", globalOptions.map(item) + [("-h, --help", "Explain the verb.")]) + [""]
            + paragraph(Self.ambiguity)
    }

    /// Paragraphs, and lines that start with two spaces: a term, at least two more spaces, and its meaning.
    func discussion(_ text: String?) -> [String] {
        var lines: [String] = []
        var table: [(term: String, meaning: String)] = []
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let match = line.wholeMatch(of: /[ ]{2}(\S+)[ ]{2,}(\S.*)/) {
                table.append((String(match.1), String(match.2)))
                continue
            }
            lines += WrappedText.items(table, width: width)
            table = []
            lines += line.isEmpty ? [""] : paragraph(line)
        }
        return lines + WrappedText.items(table, width: width)
    }

    /// Terms with their meanings.
    func table(_ items: [(term: String, meaning: String)]) -> [String] { WrappedText.items(items, width: width) }

    /// One paragraph.
    func paragraph(_ text: String) -> [String] { WrappedText.lines(text, width: width) }

    /// The shared options that a verb's help names.
    private static let common = ["--reader", "--card", "--wait", "--network", "--cvc-file", "--json", "--yes"]

    /// How a number after `--wait` is interpreted.
    static let ambiguity =
        "A number of up to five digits after --wait is a number of seconds; anything else belongs to the verb. Write "
        + "./3 for a file called 3. --wait=SECONDS is never ambiguous."

    private func section(_ title: String, _ items: [(term: String, meaning: String)]) -> [String] {
        items.isEmpty ? [] : ["", "\(title):"] + table(items)
    }

    private func item(_ argument: CommandDescription.Argument) -> (term: String, meaning: String) {
        (argument.label, argument.meaning)
    }

    private func usages(
        of command: CommandDescription, _ name: String, _ own: [CommandDescription.Argument]
    ) -> [String] {
        let required = own.filter { $0.kind != .positional && !$0.isOptional }.map(\.label)
        let operands = own.filter { $0.kind == .positional }.map {
            ($0.isOptional ? "[\($0.label)]" : $0.label) + ($0.isRepeating ? " ..." : "")
        }
        let inner = command.defaultSubcommand == nil ? ["<subcommand>"] : ["[<subcommand>]"]
        let words = [name] + required + ["[options]"] + (command.shownSubcommands.isEmpty ? operands : inner)
        return WrappedText.lines(words.joined(separator: " "), width: width, first: "  ", rest: "      ")
    }

    private func example(_ example: CommandExample) -> [String] {
        // Quoted text stays on one line.
        let pieces = example.line.split(separator: "'", omittingEmptySubsequences: false).enumerated().map {
            $0.offset.isMultiple(of: 2) ? String($0.element) : String($0.element).replacing(" ", with: Self.held)
        }
        return WrappedText.lines(
            pieces.joined(separator: "'"), width: width, first: "  ", rest: "    ", joint: " \\"
        ).map { $0.replacing(Self.held, with: " ") }
            + WrappedText.lines(example.meaning, width: width, first: "      ", rest: "      ")
    }
}

extension String {
    /// The command that explains a command.
    fileprivate var explained: String { replacing("tapkit", with: "tapkit help", maxReplacements: 1) }
}

extension CommandDescription.Argument {
    /// The names as they are typed, `-o, --output <out>`; an optional value is in brackets.
    fileprivate var label: String {
        guard kind != .positional else { return "<\(valueName ?? "")>" }
        let names = (names ?? []).map(\.text)
        guard kind == .option, let valueName else { return names.joined(separator: ", ") }
        let isOptional = names.contains(where: CommandLineText.optionsWithOptionalValue.contains)
        return names.joined(separator: ", ") + (isOptional ? " [<\(valueName)>]" : " <\(valueName)>")
    }
}
