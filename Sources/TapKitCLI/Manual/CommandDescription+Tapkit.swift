import ManualPages
import TapManager

extension CommandDescription {
    private struct Tool: Decodable {
        let command: CommandDescription
    }

    /// `tapkit` with all its verbs.
    static func tapkit() throws(Failure) -> CommandDescription {
        try described(by: TapkitCommand._dumpHelp())
            .leavingOut(GlobalOptions.ofOneTask, of: GlobalOptions.verbsOfManyTasks)
    }

    /// One verb, by its words, outermost first.
    static func verb(_ words: [String]) throws(Failure) -> CommandDescription {
        guard let name = words.last, let command = TapkitCommand.command(words) else {
            throw Failure(.internalError, "There is no verb “\(words.joined(separator: " "))”.")
        }
        let verb = try described(by: command._dumpHelp())
        let isOfManyTasks = words.count == 1 && GlobalOptions.verbsOfManyTasks.contains(name)
        return isOfManyTasks ? verb.leavingOut(GlobalOptions.ofOneTask) : verb
    }

    /// The options that verbs share.
    static func globalOptions() throws(Failure) -> [Argument] {
        try described(by: GlobalOptionsAlone._dumpHelp()).shownArguments
    }

    /// - Throws: `Failure.internalError` if the parser's description has an unknown form.
    private static func described(by description: String) throws(Failure) -> CommandDescription {
        guard let tool = try? JSONDocument.value(Tool.self, of: description.utf8) else {
            throw Failure(.internalError, "The parser describes its commands in an unknown form.")
        }
        return tool.command.withoutParsersHelp
    }
}
