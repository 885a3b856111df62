/// How commands and their options look in the manual.
extension Roff {
    /// The start of a line that is kept as written.
    private static let indentation = "  "

    /// A verb's discussion: paragraphs, and lines that start with two spaces, which are kept as written.
    mutating func discussion(_ text: String?) {
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
    mutating func examples(_ examples: [CommandExample]) {
        guard !examples.isEmpty else { return }
        section("EXAMPLES")
        for example in examples { item([.bold(example.line)], example.meaning) }
    }

    /// The synopsis of a command.
    /// - Parameter hasMore: whether there are options that are described elsewhere on the page.
    mutating func synopsis(_ words: [String], _ arguments: [CommandDescription.Argument], hasMore: Bool) {
        var spans: [Span] = [.bold(words.joined(separator: " "))]
        if hasMore { spans.append(.plain(" [options]")) }
        let options = arguments.filter { $0.kind != .positional }
        for argument in options + arguments.filter({ $0.kind == .positional }) {
            spans.append(.plain(" "))
            if argument.isOptional { spans.append(.plain("[")) }
            switch argument.kind {
            case .positional: spans.append(.italic(argument.valueName ?? ""))
            case .option, .flag: spans += argument.spans(of: argument.names?.last)
            }
            if argument.isOptional { spans.append(.plain("]")) }
            if argument.isRepeating { spans.append(.plain("…")) }
        }
        hanging(spans)
    }

    /// An argument, option or flag with its meaning.
    mutating func item(_ argument: CommandDescription.Argument) {
        var term: [Span] = []
        if argument.kind == .positional {
            term = [.italic(argument.valueName ?? "")]
        } else {
            for name in argument.names ?? [] {
                if !term.isEmpty { term.append(.plain(", ")) }
                term += argument.spans(of: name)
            }
        }
        item(term, argument.meaning)
        for text in (argument.discussion ?? "").split(separator: "\n") { continued(String(text)) }
    }
}

extension CommandDescription.Argument {
    /// A name of the option, with its value.
    fileprivate func spans(of name: Name?) -> [Roff.Span] {
        guard let name else { return [] }
        guard kind == .option, let valueName else { return [.bold(name.text)] }
        guard !CommandLineText.optionsWithOptionalValue.contains(name.text) else {
            return [.bold(name.text), .plain(" ["), .italic(valueName), .plain("]")]
        }
        return [.bold(name.text), .plain(" "), .italic(valueName)]
    }
}
