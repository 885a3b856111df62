import ArgumentParser

/// `tapkit config set`: a value for all runs to come.
struct ConfigSetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "A value for all runs to come, unless an option or the environment says otherwise.")

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A long option name, as in: tapkit config set network signet.", valueName: "key"),
        completion: .configurationKeys)
    var key: String

    @Argument(help: "What the option shall be.")
    var value: String

    func run() async throws {
        let key = try ConfigurationKeyArgument.parse(key)
        var file = try ConfigurationFile.read()
        try file.set(value, for: key)
        options.console.answer(ConfigurationDocument(file), ["\(key.rawValue) = \(key.shown(value))"])
    }
}
