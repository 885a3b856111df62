import TapManager

/// A verb as the parser describes it: the source of its help and its manual page.
///
/// Spec: ArgumentParser's dumped help, serialization version 0.
struct CommandDescription: Decodable {
    /// An argument, option or flag.
    struct Argument: Decodable, Equatable {
        /// How the parser treats it.
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        /// One name of an option.
        struct Name: Decodable, Equatable {
            /// `long`, `short`, or `longWithSingleDash`.
            let kind: String
            let name: String

            /// The name as it is typed.
            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?

        /// The option's long name with its dashes, or an argument's name.
        var identity: String { names?.last?.text ?? valueName ?? "" }

        /// Its meaning, with the possible values and the default.
        var meaning: String {
            var meaning = abstract ?? ""
            if let values = allValues, !values.isEmpty, !values.allSatisfy(meaning.contains) {
                meaning += " One of: \(values.joined(separator: ", "))."
            }
            if let value = defaultValue, kind != .flag, !value.isEmpty { meaning += " Default: \(value)." }
            return meaning
        }
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// What the parser adds to every command; described only once.
    private static let ofEveryCommand: Set<String> = ["--version", "--help"]

    /// The arguments shown in help, without `--help` and `--version`.
    var shownArguments: [Argument] {
        (arguments ?? []).filter { $0.shouldDisplay && !Self.ofEveryCommand.contains($0.identity) }
    }

    /// The subcommands shown in help, without the parser's own `help`, which comes after ours.
    var shownSubcommands: [CommandDescription] {
        var names: Set<String> = []
        return (subcommands ?? []).filter { $0.shouldDisplay && names.insert($0.commandName).inserted }
    }
}

extension CommandDescription {
    private struct Tool: Decodable {
        let command: CommandDescription
    }

    /// `tapkit` with all its verbs.
    static func tapkit() throws(Failure) -> CommandDescription { try described(by: TapkitCommand._dumpHelp()) }

    /// The options that every verb takes.
    static func globalOptions() throws(Failure) -> [Argument] {
        try described(by: GlobalOptionsAlone._dumpHelp()).shownArguments
    }

    /// - Throws: `Failure.internalError` if the parser's description has an unknown form.
    private static func described(by description: String) throws(Failure) -> CommandDescription {
        guard let tool = try? JSONDocument.value(Tool.self, of: description.utf8) else {
            throw Failure(.internalError, "The parser describes its commands in an unknown form.")
        }
        return tool.command
    }
}
