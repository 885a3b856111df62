/// The page of a verb.
extension ManualPage {
    /// A verb with all its subcommands.
    /// - Parameters:
    ///   - globalOptions: the options that `tapkit(1)` describes.
    ///   - examples: command lines of the verb, and what each of them does.
    ///   - subjects: the pages of the handbook that are about the verb, such as `tapkit-signing(7)`.
    package static func page(
        of verb: CommandDescription, in edition: ManualEdition, globalOptions: [CommandDescription.Argument],
        examples: [(line: String, meaning: String)], subjects: [String]
    ) -> ManualPage {
        let commands = forms(of: verb, words: ["tapkit", verb.commandName])
        let pageName = name(ofVerb: verb.commandName)
        var page = begun(pageName, in: .commands, of: edition, abstract: verb.abstract ?? verb.commandName)
        let shared = optionsInCommon(commands.map(\.description)).filter { !globalOptions.contains($0) }
        let told = globalOptions + shared
        page.section("SYNOPSIS")
        for command in commands {
            page.synopsis(command.words, command.description.ownArguments(besides: told), hasMore: !shared.isEmpty)
        }
        page.section("DESCRIPTION")
        page.run(verb.abstract ?? "")
        page.discussion(verb.discussion)
        if verb.shownSubcommands.isEmpty {
            let arguments = verb.ownArguments(besides: told)
            if !arguments.isEmpty { page.section("OPTIONS") }
            for argument in arguments { page.item(argument) }
        } else {
            if !shared.isEmpty { page.section("OPTIONS OF EVERY COMMAND") }
            for option in shared { page.item(option) }
            page.section("COMMANDS")
            for command in commands {
                page.subsection(command.words.joined(separator: " "))
                page.run(command.description.abstract ?? "")
                page.discussion(command.description.discussion)
                for argument in command.description.ownArguments(besides: told) { page.item(argument) }
            }
        }
        page.examples(examples)
        page.section("SHARED OPTIONS")
        let names = globalOptions.filter { option in
            commands.allSatisfy { $0.description.shownArguments.contains(option) }
        }.map(\.identity).sorted()
        page.run(
            "This verb also takes \((names + ["--help"]).joined(separator: ", ")) and --version: "
                + "see tapkit(1), which also lists environment variables, files, exit statuses and error codes.")
        page.section("SEE ALSO")
        page.run((["tapkit(1)"] + subjects).joined(separator: ", "))
        return ManualPage(name: pageName, section: .commands, text: page.text)
    }

    /// The options that several commands have in common.
    private static func optionsInCommon(_ commands: [CommandDescription]) -> [CommandDescription.Argument] {
        guard commands.count > 1, let first = commands.first else { return [] }
        return first.shownArguments.filter { option in
            option.kind != .positional && commands.allSatisfy { $0.shownArguments.contains(option) }
        }
    }

    /// Every command that can be typed: the verb itself, or each of its subcommands.
    private static func forms(
        of command: CommandDescription, words: [String]
    ) -> [(words: [String], description: CommandDescription)] {
        guard !command.shownSubcommands.isEmpty else { return [(words, command)] }
        return command.shownSubcommands.flatMap { inner in
            let isDefault = inner.commandName == command.defaultSubcommand
            return forms(of: inner, words: words + [isDefault ? "[\(inner.commandName)]" : inner.commandName])
        }
    }
}

extension CommandDescription {
    /// The arguments that are not described elsewhere.
    fileprivate func ownArguments(besides told: [Argument]) -> [Argument] {
        shownArguments.filter { !told.contains($0) }
    }
}
