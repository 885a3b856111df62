import ArgumentParser

/// `tapkit config get`: one configured value.
struct ConfigGetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "One configured value.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("A long option name, as in: tapkit config get chain.", valueName: "key"))
    var key: String

    func run() async throws {
        let key = try ConfigurationKeyArgument.parse(key)
        let file = try ConfigurationFile.read()
        guard !options.isJSON else { return JSONAnswer.write(ConfigurationDocument(file, [key])) }
        if let value = file.values[key] {
            options.console.say(value)
        } else {
            options.console.note("\(key.rawValue) is not configured.")
        }
    }
}
