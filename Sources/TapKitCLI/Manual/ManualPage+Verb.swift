/// The page of a verb.
extension ManualPage {
    /// A verb with everything below it.
    /// - Parameter globalOptions: long names of the options that are told in `tapkit(1)`.
    static func page(of verb: CommandDescription, globalOptions: Set<String>) -> ManualPage {
        let commands = forms(of: verb, words: ["tapkit", verb.commandName])
        let pageName = name(ofVerb: verb.commandName)
        var page = begun(pageName, abstract: verb.abstract ?? verb.commandName)
        page.section("SYNOPSIS")
        for command in commands {
            page.synopsis(command.words, command.description.ownArguments(besides: globalOptions))
        }
        page.section("DESCRIPTION")
        page.run(verb.abstract ?? "")
        page.discussion(verb.discussion)
        if verb.shownSubcommands.isEmpty {
            let arguments = verb.ownArguments(besides: globalOptions)
            if !arguments.isEmpty { page.section("OPTIONS") }
            for argument in arguments { page.item(argument) }
        } else {
            page.section("COMMANDS")
            for command in commands {
                page.subsection(command.words.joined(separator: " "))
                page.run(command.description.abstract ?? "")
                page.discussion(command.description.discussion)
                for argument in command.description.ownArguments(besides: globalOptions) { page.item(argument) }
            }
        }
        page.examples(CommandExample.beginning(with: [verb.commandName]))
        page.section("OPTIONS OF EVERY VERB")
        page.run(
            "Every verb also takes \(globalOptions.sorted().joined(separator: ", ")), --help and --version: "
                + "see tapkit(1), which also has the environment, the files, the exit statuses and the error codes.")
        page.section("SEE ALSO")
        page.run("tapkit(1)")
        return ManualPage(name: pageName, text: page.text)
    }

    /// Everything that can be typed: the verb itself, or each of its subcommands, from outside in.
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
    /// The arguments that not every verb has.
    fileprivate func ownArguments(besides globalOptions: Set<String>) -> [Argument] {
        shownArguments.filter { !globalOptions.contains($0.identity) }
    }
}
