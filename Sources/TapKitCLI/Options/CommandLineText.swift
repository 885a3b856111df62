/// Converts the command line as the user types it to the form that the parser reads.
enum CommandLineText {
    /// Options of every verb that take a value.
    private static let valueOptions: Set<String> = [
        "--reader", "--card", "--network", "--root-key", "--cvc-file", "--data-dir", "--chain", "--proxy", "--accept",
    ]
    /// Options of every verb without a value.
    private static let flags: Set<String> = ["--json", "--progress", "--yes", "--trace"]
    /// Their short names, of which one argument may have several: `-yv`.
    private static let shortFlags: Set<Character> = ["y", "v"]
    private static let wait = "--wait"

    private static let code = "--qr"
    /// Options whose value is optional.
    static let optionsWithOptionalValue: Set<String> = [wait, code]
    /// The value that `--qr` without a file gets before parsing.
    static let terminalCode = "terminal"

    /// Moves options before the verb, or before one of its words, to the end, and gives a bare `--wait` and a bare `--qr`
    /// their values.
    static func normalized(_ arguments: [String]) -> [String] {
        let (leading, rest) = leadingOptions(arguments)
        let (verb, inner, others) = innerOptions(rest)
        let end = others.firstIndex(of: "--") ?? others.endIndex
        return verb + valued(others[..<end]) + valued((leading + inner)[...]) + others[end...]
    }

    /// The words of the verb up to the last one before which there are options, these options, and the rest.
    private static func innerOptions(
        _ arguments: ArraySlice<String>
    ) -> (verb: [String], options: [String], rest: ArraySlice<String>) {
        var verb: [String] = []
        var options: [String] = []
        var rest = arguments
        while true {
            let (between, after) = verb.isEmpty ? ([], rest) : leadingOptions(Array(rest))
            guard let word = after.first, TapkitCommand.verbs(within: verb).contains(word) else {
                return (verb, options, rest)
            }
            verb.append(word)
            options += between
            rest = after.dropFirst()
        }
    }

    /// The options before the verb, each short flag on its own, and the rest, which starts with the verb.
    static func leadingOptions(_ arguments: [String]) -> (options: [String], rest: ArraySlice<String>) {
        var leading: [String] = []
        var rest = arguments[...]
        while let argument = rest.first {
            let hasValue = valueOptions.contains(argument) || argument == wait && isSeconds(rest.dropFirst().first)
            if hasValue, rest.count > 1 {
                leading += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else if flags.contains(argument) || isLeadingAssignment(argument) {
                leading.append(argument)
                rest = rest.dropFirst()
            } else if areShortFlags(argument) {
                leading += argument.dropFirst().map { "-\($0)" }
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return (leading, rest)
    }

    /// The same arguments, with values for `--wait` and `--qr`.
    private static func valued(_ arguments: ArraySlice<String>) -> [String] {
        var rest = arguments
        var result: [String] = []
        while let argument = rest.popFirst() {
            let next = rest.first
            switch argument {
            case wait where isSeconds(next):
                rest = rest.dropFirst()
                result.append("\(wait)=\(next ?? "")")
            case wait: result.append("\(wait)=\(GlobalOptions.foreverText)")
            case code where next?.hasPrefix("-") ?? true: result.append("\(code)=\(terminalCode)")
            default: result.append(argument)
            }
        }
        return result
    }

    /// Whether an argument after `--wait` is a number of seconds: it has at most five digits. The start of a
    /// transaction's id has more.
    private static func isSeconds(_ argument: String?) -> Bool {
        guard let argument else { return false }
        return (1...5).contains(argument.utf8.count) && argument.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func areShortFlags(_ argument: String) -> Bool {
        argument.count > 1 && argument.hasPrefix("-") && argument.dropFirst().allSatisfy(shortFlags.contains)
    }

    private static func isLeadingAssignment(_ argument: String) -> Bool {
        argument == wait || argument.hasPrefix("\(wait)=")
            || valueOptions.contains { argument.hasPrefix("\($0)=") }
    }
}
