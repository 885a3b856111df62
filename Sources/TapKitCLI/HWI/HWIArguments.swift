import Bitcoin

/// HWI's command line, brought into the form that the parser reads: the command first, then the options that may stand
/// before it; words from standard input behind those of the command line; and the password in none of them.
struct HWIArguments {
    /// Options that take a value, as they stand before a command.
    private static let valueOptions: Set<String> = [
        "-d", "--device-path", "-t", "--device-type", "-f", "--fingerprint", "--chain",
        "--reader", "--card", "--cvc-file", "--data-dir", "--root-key", "--proxy",
    ]
    /// Of these, those whose value may follow without a space.
    private static let shortOptions: Set<String> = ["-d", "-t", "-f"]
    /// Flags of one letter, which may stand together in a word.
    private static let shortFlags: Set<UInt8> = [UInt8(ascii: "i"), UInt8(ascii: "v")]
    private static let passwordOptions: Set<String> = ["-p", "--password"]
    /// The option that says that more words come from standard input.
    static let standardInput = "--stdin"

    /// What the parser reads.
    let words: [String]
    /// What `-p` gave.
    let password: SecretBytes?

    /// - Throws: `HWIError.missingArguments` for a password option without its value, and for what is not UTF-8.
    init(_ given: [[UInt8]]) throws(HWIError) {
        var password: SecretBytes?
        var options: [String] = []
        var index = 0
        while index < given.count {
            let word = try Self.text(given[index])
            index += 1
            if Self.passwordOptions.contains(word) {
                guard index < given.count else {
                    throw HWIError(.missingArguments, "argument --password/-p: expected one argument")
                }
                password = SecretBytes(given[index])
                index += 1
            } else if let start = Self.attachedPassword(word) {
                password = SecretBytes(given[index - 1].dropFirst(start))
                options += Self.flags(before: start, of: word)
            } else if Self.valueOptions.contains(word), index < given.count {
                options += [word, try Self.text(given[index])]
                index += 1
            } else if let short = Self.shortOptions.first(where: { word.hasPrefix($0) }), word != short {
                options += [short, String(word.dropFirst(2))]
            } else if word.hasPrefix("-") {
                options.append(word)
            } else {
                // The command: what follows is its own, in its order.
                var rest: [String] = []
                var areOptionsOver = false
                for bytes in given[index...] {
                    let word = try Self.text(bytes)
                    areOptionsOver = areOptionsOver || word == "--"
                    // The parser does not know these here, and would repeat them where it says so.
                    if !areOptionsOver, let start = Self.attachedPassword(word) {
                        password = SecretBytes(bytes.dropFirst(start))
                        rest += Self.flags(before: start, of: word)
                    } else {
                        rest.append(word)
                    }
                }
                let isText = !areOptionsOver && word == Self.messageCommand && rest.contains(where: Self.isText)
                words = [word] + options + (isText ? ["--"] : []) + rest
                self.password = password
                return
            }
        }
        words = options
        self.password = password
    }

    /// The command whose first word is anybody's text.
    private static let messageCommand = "signmessage"

    /// What HWI takes for no option, whatever it begins with: a number below zero, and words with spaces between.
    private static func isText(_ word: String) -> Bool {
        word.hasPrefix("-") && (word.contains(" ") || Double(word) != nil)
    }

    /// How many bytes stand before a password in the same word, as in `-p123456` and `-vp123456`; `nil` when there is none.
    static func attachedPassword(_ word: String) -> Int? {
        if word.hasPrefix("--password=") { return "--password=".utf8.count }
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return nil }
        let flags = word.utf8.dropFirst().prefix { shortFlags.contains($0) }
        let start = 1 + flags.count + 1
        return word.utf8.dropFirst(start - 1).first == UInt8(ascii: "p") && word.utf8.count > start ? start : nil
    }

    /// The flags that share a word with a password.
    private static func flags(before start: Int, of word: String) -> [String] {
        guard !word.hasPrefix("--") else { return [] }
        return word.utf8.prefix(start - 1).dropFirst().map { "-\(Character(Unicode.Scalar($0)))" }
    }

    private static func text(_ bytes: [UInt8]) throws(HWIError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HWIError(.missingArguments, "An argument is not UTF-8.")
        }
        return text
    }
}
