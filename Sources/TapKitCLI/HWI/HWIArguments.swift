import Bitcoin

/// HWI's command line, brought into the form that the parser reads: the command first, then the options that may stand
/// before it; words from standard input behind those of the command line; and the password in none of them.
struct HWIArguments {
    /// Options that take a value, as they stand before a command.
    private static let valueOptions: Set<String> = [
        "-d", "--device-path", "-t", "--device-type", "-f", "--fingerprint", "--chain", "--network",
        "--reader", "--card", "--cvc-file", "--data-dir", "--root-key", "--proxy",
    ]
    /// Options of one letter that take a value, which may follow without a space: the password is one of them.
    private static let shortOptions = Set("dtfp".utf8)
    /// Flags of one letter, which may stand together in a word, before such an option too.
    private static let shortFlags = Set("iv".utf8)
    private static let passwordOption = "--password"
    /// HWI's options before a command, which may be shortened as long as they are certain.
    private static let longOptions = [
        "--chain", "--debug", "--device-path", "--device-type", "--emulators", "--expert", "--fingerprint", "--help",
        "--interactive", passwordOption, standardInput, "--stdinpass", "--version",
    ]
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
            let word = Self.wholeOption(try Self.text(given[index]))
            index += 1
            if Self.asksForPassword(word) {
                guard index < given.count else {
                    throw HWIError(.missingArguments, "argument --password/-p: expected one argument")
                }
                options += Self.cluster(word)?.flags ?? []
                password = SecretBytes(given[index])
                index += 1
            } else if let start = Self.attachedPassword(try Self.text(given[index - 1])) {
                password = SecretBytes(given[index - 1].dropFirst(start))
                options += Self.cluster(word)?.flags ?? []
            } else if Self.valueOptions.contains(word), index < given.count {
                options += [word, try Self.text(given[index])]
                index += 1
            } else if let cluster = Self.cluster(word) {
                options += cluster.flags + ["-\(cluster.option)"]
                if cluster.start < word.utf8.count {
                    options.append(String(decoding: word.utf8.dropFirst(cluster.start), as: UTF8.self))
                } else if index < given.count {
                    options.append(try Self.text(given[index]))
                    index += 1
                }
            } else if word.hasPrefix("-") {
                options.append(word)
            } else {
                // The command: what follows is its own, in its order.
                let command = word
                var rest: [String] = []
                var areOptionsOver = false
                for bytes in given[index...] {
                    let word = try Self.text(bytes)
                    areOptionsOver = areOptionsOver || word == "--"
                    let isMessage = command == Self.messageCommand && Self.isText(word)
                    // The parser does not know these here, and would repeat them where it says so.
                    if !areOptionsOver, !isMessage, let start = Self.attachedPassword(word) {
                        password = SecretBytes(bytes.dropFirst(start))
                        rest += Self.cluster(word)?.flags ?? []
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

    /// How many bytes stand before a password in the same word, as in `-p123456`, `-vp123456` and `--password=123456`; `nil`
    /// when there is none.
    static func attachedPassword(_ word: String) -> Int? {
        if word.hasPrefix("--") {
            guard let end = word.firstIndex(of: "="), wholeOption(String(word[..<end])) == passwordOption else {
                return nil
            }
            return word[...end].utf8.count
        }
        guard let cluster = cluster(word), cluster.option == "p", cluster.start < word.utf8.count else { return nil }
        return cluster.start
    }

    /// Whether the next word is a password.
    static func asksForPassword(_ word: String) -> Bool {
        if word.hasPrefix("--") { return wholeOption(word) == passwordOption }
        guard let cluster = cluster(word) else { return false }
        return cluster.option == "p" && cluster.start == word.utf8.count
    }

    /// A word of letters behind one hyphen: flags, and an option that takes a value, which begins at a byte of the word or
    /// is the next word.
    private static func cluster(_ word: String) -> (flags: [String], option: Character, start: Int)? {
        let bytes = Array(word.utf8)
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "-") else { return nil }
        let place = bytes.dropFirst().firstIndex { !shortFlags.contains($0) } ?? bytes.endIndex
        guard place < bytes.endIndex, shortOptions.contains(bytes[place]) else { return nil }
        let isAssigned = place + 1 < bytes.endIndex && bytes[place + 1] == UInt8(ascii: "=")
        return (
            bytes[1..<place].map { "-\(Character(Unicode.Scalar($0)))" }, Character(Unicode.Scalar(bytes[place])),
            place + (isAssigned ? 2 : 1)
        )
    }

    /// The option that a shortened one surely means, its value left as it is.
    private static func wholeOption(_ word: String) -> String {
        let name = word.prefix { $0 != "=" }
        guard name.hasPrefix("--"), name.count > 2, !longOptions.contains(String(name)) else { return word }
        let meant = longOptions.filter { $0.hasPrefix(name) }
        guard meant.count == 1, let option = meant.first else { return word }
        return option + word[name.endIndex...]
    }

    private static func text(_ bytes: [UInt8]) throws(HWIError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HWIError(.missingArguments, "An argument is not UTF-8.")
        }
        return text
    }
}
