/// The command line as people write it, brought into the form that the parser reads.
enum CommandLineText {
    /// Options of every verb that take a value.
    private static let valueOptions: Set<String> = [
        "--reader", "--card", "--network", "--root-key", "--cvc-file", "--data-dir", "--chain", "--proxy", "--accept",
    ]
    /// Options of every verb that stand alone.
    private static let flags: Set<String> = ["--json", "--progress", "-y", "--yes", "-v", "--trace"]
    private static let wait = "--wait"

    private static let code = "--qr"
    /// Options whose value may be left out.
    static let optionsWithOptionalValue: Set<String> = [wait, code]
    /// What `--qr` without a file is rewritten to before parsing.
    static let terminalCode = "terminal"

    /// Moves options of every verb that stand before the verb behind all else, and gives a bare `--wait` and a bare `--qr`
    /// their values.
    static func normalized(_ arguments: [String]) -> [String] {
        let (leading, rest) = leadingOptions(arguments)
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        let options = Array(rest[..<end]) + leading
        return options.indices.map { withValue(options[$0], before: options[($0 + 1)...].first) } + rest[end...]
    }

    /// The options of every verb that stand before the verb, and what begins with the verb.
    static func leadingOptions(_ arguments: [String]) -> (options: [String], rest: ArraySlice<String>) {
        var leading: [String] = []
        var rest = arguments[...]
        while let argument = rest.first {
            if valueOptions.contains(argument), rest.count > 1 {
                leading += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else if flags.contains(argument) || isLeadingAssignment(argument) {
                leading.append(argument)
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return (leading, rest)
    }

    private static func withValue(_ argument: String, before next: String?) -> String {
        switch argument {
        case wait: "\(wait)=\(GlobalOptions.foreverText)"
        case code where next?.hasPrefix("-") ?? true: "\(code)=\(terminalCode)"
        default: argument
        }
    }

    private static func isLeadingAssignment(_ argument: String) -> Bool {
        argument == wait || argument.hasPrefix("\(wait)=")
            || valueOptions.contains { argument.hasPrefix("\($0)=") }
    }
}
