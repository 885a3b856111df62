import ArgumentParser
import Settings

/// `tapkit config set`: saves a default setting.
struct ConfigSetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Save a default setting, used unless an option or the environment overrides it.")

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A long option name, for example: tapkit config set network signet.", valueName: "key"),
        completion: .configurationKeys)
    var key: String

    @Argument(help: "The option's value.")
    var value: String

    func run() async throws {
        let key = try ConfigurationKeyArgument.parse(key)
        var file = try ConfigurationFile.read(toChange: key)
        try file.set(value, for: key)
        options.console.answer(ConfigurationDocument(file), ["\(key.rawValue) = \(key.shown(value))"])
    }
}
