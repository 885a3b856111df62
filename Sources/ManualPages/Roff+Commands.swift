/// How commands and their options look in the manual.
extension Roff {
    /// The start of a line that is kept as written.
    private static let indentation = "  "

    /// A verb's discussion: paragraphs, and lines that start with two spaces, which are kept as written.
    package mutating func discussion(_ text: String?) {
        var block: [String] = []
        for line in (text ?? "").split(separator: "\n").map(String.init) {
            guard !line.hasPrefix(Self.indentation) else {
                block.append(String(line.dropFirst(Self.indentation.count)))
                continue
            }
            if !block.isEmpty { verbatim(block) }
            block = []
            paragraph(line)
        }
        if !block.isEmpty { verbatim(block) }
    }

    /// A section of examples, if there are any.
    /// - Parameter examples: command lines, and what each of them does.
    package mutating func examples(_ examples: [(line: String, meaning: String)]) {
        guard !examples.isEmpty else { return }
        section("EXAMPLES")
        for example in examples { item([.bold(example.line)], example.meaning) }
    }

    /// The synopsis of a command.
    /// - Parameter hasMore: whether there are options that are described elsewhere on the page.
    package mutating func synopsis(_ words: [String], _ arguments: [CommandDescription.Argument], hasMore: Bool) {
        var spans: [Span] = [.bold(words.joined(separator: " "))]
        if hasMore { spans.append(.plain(" [options]")) }
        let options = arguments.filter { $0.kind != .positional }
        for argument in options + arguments.filter({ $0.kind == .positional }) {
            spans.append(.plain(" "))
            if argument.isOptional { spans.append(.plain("[")) }
            switch argument.kind {
            case .positional: spans.append(.italic(argument.valueName ?? ""))
            case .option, .flag: spans += self.spans(of: argument, named: argument.names?.last)
            }
            if argument.isOptional { spans.append(.plain("]")) }
            if argument.isRepeating { spans.append(.plain("…")) }
        }
        hanging(spans)
    }

    /// An argument, option or flag with its meaning.
    package mutating func item(_ argument: CommandDescription.Argument) {
        var term: [Span] = []
        if argument.kind == .positional {
            term = [.italic(argument.valueName ?? "")]
        } else {
            for name in argument.names ?? [] {
                if !term.isEmpty { term.append(.plain(", ")) }
                term += spans(of: argument, named: name)
            }
        }
        item(term, argument.meaning)
        for text in (argument.discussion ?? "").split(separator: "\n") { continued(String(text)) }
    }

    /// A name of the option, with its value.
    private func spans(of argument: CommandDescription.Argument, named name: CommandDescription.Argument.Name?)
        -> [Span]
    {
        guard let name else { return [] }
        guard argument.kind == .option, let valueName = argument.valueName else { return [.bold(name.text)] }
        guard !optionsWithOptionalValue.contains(name.text) else {
            return [.bold(name.text), .plain(" ["), .italic(valueName), .plain("]")]
        }
        return [.bold(name.text), .plain(" "), .italic(valueName)]
    }
}
