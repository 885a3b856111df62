/// A verb as the parser describes it: the source of its help and its manual page.
///
/// Spec: ArgumentParser's dumped help, serialization version 0.
package struct CommandDescription: Decodable {
    /// An argument, option or flag.
    package struct Argument: Decodable, Equatable {
        /// How the parser treats it.
        package enum Kind: String, Decodable {
            /// An argument, told by its place.
            case positional
            /// A name with a value.
            case option
            /// A name alone.
            case flag
        }

        /// One name of an option.
        package struct Name: Decodable, Equatable {
            /// `long`, `short`, or `longWithSingleDash`.
            let kind: String
            /// Without dashes.
            let name: String

            /// The name as it is typed.
            package var text: String { (kind == "long" ? "--" : "-") + name }
        }

        /// How the parser treats it.
        package let kind: Kind
        let shouldDisplay: Bool
        /// Whether a command line is complete without it.
        package let isOptional: Bool
        /// Whether it may be given more than once.
        package let isRepeating: Bool
        /// All names of an option or flag; an argument has none.
        package let names: [Name]?
        /// What its value is called, without brackets.
        package let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        /// Its meaning in one sentence, with its variable in square brackets.
        package let abstract: String?
        let discussion: String?

        /// The option's long name with its dashes, or an argument's name.
        package var identity: String { names?.last?.text ?? valueName ?? "" }

        /// Its meaning, with the possible values and the default.
        package var meaning: String {
            var meaning = abstract ?? ""
            if let values = allValues, !values.isEmpty, !values.allSatisfy(meaning.contains) {
                meaning += " One of: \(values.joined(separator: ", "))."
            }
            if let value = defaultValue, kind != .flag, !value.isEmpty { meaning += " Default: \(value)." }
            return meaning
        }
    }

    /// The last word of what is typed to run it.
    package let commandName: String
    /// What it does, in one sentence.
    package let abstract: String?
    /// More about it: paragraphs, and lines that start with two spaces, which are kept as written.
    package let discussion: String?
    let shouldDisplay: Bool
    /// The subcommand that runs if none is typed.
    package let defaultSubcommand: String?
    /// All subcommands, shown or not.
    package private(set) var subcommands: [CommandDescription]?
    /// All arguments, shown or not.
    package private(set) var arguments: [Argument]?

    /// What the parser adds to every command; described only once.
    private static let ofEveryCommand: Set<String> = ["--version", "--help"]

    /// The arguments shown in help, without `--help` and `--version`.
    package var shownArguments: [Argument] {
        (arguments ?? []).filter { $0.shouldDisplay && !Self.ofEveryCommand.contains($0.identity) }
    }

    /// The same, but for some subcommands without some of their options, which they refuse.
    package func leavingOut(_ options: [String], of verbs: Set<String>) -> Self {
        var all = self
        all.subcommands = subcommands?.map { verbs.contains($0.commandName) ? $0.leavingOut(options) : $0 }
        return all
    }

    /// The same without some of its options, which it refuses.
    package func leavingOut(_ options: [String]) -> Self {
        var verb = self
        verb.arguments = arguments?.filter { !options.contains($0.identity) }
        return verb
    }

    /// The same without its last subcommand: the parser adds a `help` of its own to whatever it is asked to describe.
    package var withoutParsersHelp: Self {
        var all = self
        all.subcommands = subcommands?.dropLast()
        return all
    }

    /// The subcommands shown in help.
    package var shownSubcommands: [CommandDescription] { (subcommands ?? []).filter(\.shouldDisplay) }
}
