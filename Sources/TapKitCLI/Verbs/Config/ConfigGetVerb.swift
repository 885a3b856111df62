import ArgumentParser
import Settings

/// `tapkit config get`: one saved setting.
struct ConfigGetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show one saved setting.")

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A long option name, for example: tapkit config get chain.", valueName: "key"),
        completion: .configurationKeys)
    var key: String

    func run() async throws {
        let key = try ConfigurationKeyArgument.parse(key)
        let file = try ConfigurationFile.read()
        let value = file.values[key]
        options.console.answer(
            ConfigurationDocument(file, [key]), [value].compactMap(\.self),
            remarks: value == nil ? ["\(key.rawValue) is not set."] : [])
    }
}
