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
        let (file, wasSet) = try ConfigurationFile.removing(key)
        // One that is unknown, and not in the file, is a typing mistake.
        let name = wasSet ? key : try ConfigurationKeyArgument.parse(key).rawValue
        options.console.answer(
            ConfigurationDocument(file),
            ["\(name) \(wasSet ? "is no longer set." : "was not set. Nothing was changed.")"])
    }
}
