import ArgumentParser

/// `tapkit config list`: everything that is configured.
struct ConfigListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Everything that is configured.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let file = try ConfigurationFile.read()
        guard !options.isJSON else { return JSONAnswer.write(ConfigurationDocument(file)) }
        let lines = ConfigurationKey.allCases.compactMap { key in
            file.values[key].map { "\(key.rawValue) = \(key.shown($0))" }
        }
        for line in lines { options.console.say(line) }
        if lines.isEmpty { options.console.note("Nothing is configured in \(file.path).") }
    }
}
