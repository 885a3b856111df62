import ArgumentParser
import Settings

/// `tapkit config unset`: removes a saved setting.
struct ConfigUnsetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unset", abstract: "Remove a saved setting.")

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A long option name.", valueName: "key"),
        completion: .configurationKeys)
    var key: String

    func run() async throws {
        let key = try ConfigurationKeyArgument.parse(key)
        var file = try ConfigurationFile.read(toChange: key)
        let wasSet = file.values[key] != nil
        if wasSet { try file.set(nil, for: key) }
        options.console.answer(
            ConfigurationDocument(file),
            ["\(key.rawValue) \(wasSet ? "is no longer set." : "was not set. Nothing was changed.")"])
    }
}
