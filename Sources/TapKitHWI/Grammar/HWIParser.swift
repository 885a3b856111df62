import Bitcoin
import ByteCodec

/// Parses HWI's command line like HWI, which uses Python's `argparse`: options, a command, and that command's options
/// and operands. Options of every command may also come after it.
///
/// Spec: HWI 3.2.0, `hwilib/_cli.py`; Python, `argparse`.
struct HWIParser {
    private let words: [[UInt8]]
    private var next = 0
    private var command: (any HWICommand.Type)?
    private var values = HWIValues()
    private var operands = 0
    private var unknown = HWIUnknownWords()

    private init(_ words: [[UInt8]]) { self.words = words }

    /// - Throws: `HWIUsageError`.
    static func request(_ words: [[UInt8]]) throws(HWIUsageError) -> HWIRequest {
        var parser = HWIParser(words)
        return try parser.run()
    }

    private mutating func run() throws(HWIUsageError) -> HWIRequest {
        var areOptionsOver = false
        while next < words.count {
            let word = words[next]
            let text = try text(word[...])
            next += 1
            if !areOptionsOver, text == "--" {
                areOptionsOver = true
            } else if areOptionsOver || isOperand(text) {
                if try take(text) { areOptionsOver = false }
            } else if let option = try option(in: word) {
                for flag in option.options.dropLast() { if let end = try take(flag) { return end } }
                guard let last = option.options.last else { continue }
                if let end = try take(last, from: word, option.valueStart) { return end }
            } else {
                unknown.add(text)
            }
        }
        return try finish()
    }

    private func fail(_ message: String) -> HWIUsageError {
        HWIUsageError(command: command?.grammar.name, message: message)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(HWIUsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fail("An argument is not UTF-8.") }
        guard !text.hasEndlessLetter else {
            throw fail("An argument has a character with more than \(Character.maximumMarkCount) accents.")
        }
        return text
    }

    // MARK: Words

    /// Whether a word is an operand, not an option: it does not start with a hyphen, or it is a number, or, if free
    /// text is expected, it has spaces.
    private func isOperand(_ word: String) -> Bool {
        guard Self.beginsWithHyphen(word) else { return true }
        if Double(word) != nil { return true }
        return word.contains(" ") && nextOperand?.kind == .freeText
    }

    /// A single hyphen stands for standard input. Compares bytes: a combining mark would hide the hyphen.
    static func beginsWithHyphen(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.first == UInt8(ascii: "-")
    }

    private var nextOperand: HWIOperand? {
        guard let all = command?.grammar.operands, operands < all.count else { return nil }
        return all[operands]
    }

    private func option(in word: [UInt8]) throws(HWIUsageError) -> HWIOptionWord? {
        do { return try HWIOptionWord(word, [command?.grammar.options ?? [], HWIGlobals.all]) } catch {
            let meanings = error.meanings.map { "--\($0.key)" }.joined(separator: ", ")
            throw fail("ambiguous option: --\(error.name) could match \(meanings)")
        }
    }

    /// Takes the command, or an operand.
    /// - Returns: whether it was the command, after which options may follow again.
    private mutating func take(_ word: String) throws(HWIUsageError) -> Bool {
        guard command != nil else {
            guard let named = HWIProgram.all.first(where: { $0.grammar.name == word }) else {
                let names = HWIProgram.all.map { $0.grammar.name }.joined(separator: ", ")
                throw fail("argument command: invalid choice\(HWIUnknownWords.repeated(word)) (choose from \(names))")
            }
            command = named
            return true
        }
        guard let operand = nextOperand else {
            unknown.add(word)
            return false
        }
        if operand.kind == .number { try requireNumber(word, operand.name) }
        values.add(word, to: operand)
        operands += 1
        return false
    }

    // MARK: Options

    private mutating func take(_ flag: HWIOption) throws(HWIUsageError) -> HWIRequest? {
        switch flag {
        case HWIGrammar.version: return .version
        case HWIGrammar.help: return .help(command?.grammar)
        default:
            values.add("", to: flag)
            try requireAlone(flag)
            return nil
        }
    }

    private mutating func take(
        _ option: HWIOption, from word: [UInt8], _ start: Int?
    ) throws(HWIUsageError) -> HWIRequest? {
        if option.value == .flag {
            // The value is not shown: it may be a password.
            guard start == nil else { throw fail("argument \(option.title): takes no value") }
            return try take(option)
        }
        guard let value = start.map({ word[$0...] }) ?? followingWord(for: option) else {
            throw fail("argument \(option.title): expected one argument")
        }
        guard !option.isSecret else {
            values.take(password: SecretBytes(value))
            return nil
        }
        var text = try text(value)
        switch option.value {
        case .number: try requireNumber(text, option.title)
        case .choice(_, let choices):
            let chosen = text.lowercased()
            guard choices.contains(chosen) else {
                let names = choices.joined(separator: ", ")
                throw fail(
                    "argument \(option.title): invalid choice\(HWIUnknownWords.repeated(text)) (choose from \(names))")
            }
            text = chosen
        case .flag, .text, .secret: break
        }
        values.add(text, to: option)
        try requireAlone(option)
        return nil
    }

    /// The next word as an option's value: any word for a password, otherwise not one that is itself an option.
    private mutating func followingWord(for option: HWIOption) -> ArraySlice<UInt8>? {
        guard next < words.count else { return nil }
        let word = words[next]
        let text = String(decoding: word, as: UTF8.self)
        let isNone = !Self.beginsWithHyphen(text) || word.contains(UInt8(ascii: " ")) || Double(text) != nil
        guard option.isSecret || isNone else { return nil }
        next += 1
        return word[...]
    }

    private func requireAlone(_ option: HWIOption) throws(HWIUsageError) {
        for group in command?.grammar.exclusions ?? [] where group.contains(option) {
            guard let other = group.first(where: { $0 != option && values.has($0) }) else { continue }
            throw fail("argument \(option.title): not allowed with argument \(other.title)")
        }
    }

    private func requireNumber(_ text: String, _ name: String) throws(HWIUsageError) {
        guard Int(text) == nil else { return }
        throw fail("argument \(name): invalid int value\(HWIUnknownWords.repeated(text))")
    }

    // MARK: The end

    private func finish() throws(HWIUsageError) -> HWIRequest {
        guard let command else { throw fail("the following arguments are required: command") }
        let missing = command.grammar.operands.dropFirst(operands).map(\.name)
        guard missing.isEmpty else {
            throw fail("the following arguments are required: \(missing.joined(separator: ", "))")
        }
        let requirement = command.grammar.requirement
        guard requirement.isEmpty || requirement.contains(where: values.has) else {
            throw fail("one of the arguments \(requirement.map(\.title).joined(separator: " ")) is required")
        }
        if let words = unknown.complaint { throw fail(words) }
        return .command(command, values)
    }
}
