import ArgumentParser
import TextLayout

/// The command `tapkit`: every verb, grouped by task.
struct TapkitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapkit",
        abstract: "TAPSIGNER, SATSCARD and SATSCHIP cards as hardware signers on Linux.",
        discussion: "Put a card on the reader and type: tapkit",
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Start",
                subcommands: [
                    ReadersVerb.self, StatusVerb.self, VerifyVerb.self, SetupVerb.self, CardVerb.self, ConfigVerb.self,
                    DemoVerb.self, HelpVerb.self,
                ]),
            CommandGroup(
                name: "TAPSIGNER",
                subcommands: [
                    SignVerb.self, ReviewVerb.self, XpubVerb.self, BackupVerb.self, ChangeCVCVerb.self,
                    DeriveVerb.self, MessageVerb.self,
                ]),
            CommandGroup(
                name: "SATSCARD",
                subcommands: [AddressVerb.self, SlotsVerb.self, UnsealVerb.self, SweepVerb.self, URLVerb.self]),
            CommandGroup(name: "Wallets and transactions", subcommands: [WalletVerb.self, TxVerb.self]),
            CommandGroup(
                name: "Other programs",
                subcommands: [ExportVerb.self, HWIVerb.self, UIVerb.self, ServeVerb.self, SimVerb.self]),
            CommandGroup(
                name: "Repair",
                subcommands: [DoctorVerb.self, WaitVerb.self, RecoverVerb.self, StoreVerb.self]),
        ])

    /// The verbs' names.
    static var verbs: [String] { verbs(within: []) }

    /// Reports an unknown verb before the parser complains about its options.
    static func requireVerb(_ arguments: [String]) throws(Failure) {
        let known = verb(of: arguments)
        let names = verbs(within: known)
        let (_, rest) = CommandLineText.leadingOptions(Array(arguments.dropFirst(known.count)))
        guard let word = rest.first, !word.hasPrefix("-"), !names.isEmpty else { return }
        throw unknownVerb(word, within: known)
    }

    /// Reports an unknown verb, and the one that was probably meant.
    /// - Parameter topics: what else is allowed in its place.
    static func unknownVerb(_ word: String, within known: [String], orOneOf topics: [String] = []) -> Failure {
        let others = known.isEmpty ? topics : []
        let kind = topics.isEmpty ? "verb" : "verb or topic"
        let meant =
            Synonym.command(for: word, within: known)
            ?? TypingSlip.name(for: word, among: verbs(within: known) + others).map { joined(known + [$0]) }
        let guess = meant.map { " Did you mean “\($0)”?" } ?? ""
        return Failure(.usage, "There is no \(kind) “\(joined(known + [word]))”.\(guess)", hint: helpHint(known))
    }

    /// The verb that the arguments start with, outermost word first (`tx create`); empty if there is none.
    static func verb(of arguments: [String]) -> [String] {
        var verb: [String] = []
        for argument in arguments {
            guard verbs(within: verb).contains(argument) else { break }
            verb.append(argument)
        }
        return verb
    }

    /// Where to find the help for a verb.
    static func helpHint(_ verb: [String]) -> String {
        // The help for `help` says less than the help itself.
        "See \(joined(["tapkit", "help"] + (verb == ["help"] ? [] : verb)))."
    }

    /// The subverbs of a verb; without one, all top-level verbs.
    static func verbs(within verb: [String]) -> [String] {
        command(verb)?.configuration.subcommands.map { $0._commandName } ?? []
    }

    /// The command that a verb's words name, outermost first; without any, `tapkit` itself. `nil`: there is none.
    static func command(_ verb: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = Self.self
        for name in verb {
            guard let inner = command.configuration.subcommands.first(where: { $0._commandName == name }) else {
                return nil
            }
            command = inner
        }
        return command
    }

    private static func joined(_ words: [String]) -> String { words.joined(separator: " ") }
}

/// The version that `tapkit --version` prints.
enum Version {
    static let text = "0.1.0"
    /// The version's date for the manual, `YYYY-MM-DD`.
    static let date = "2026-11-22"
}
