import ArgumentParser

/// `tapkit config list`: everything that is configured.
struct ConfigListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Everything that is configured.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let file = try ConfigurationFile.read()
        let lines = ConfigurationKey.allCases.compactMap { key in
            file.values[key].map { "\(key.rawValue) = \(key.shown($0))" }
        }
        options.console.answer(
            ConfigurationDocument(file), lines,
            remarks: lines.isEmpty ? ["Nothing is configured in \(file.path)."] : [])
    }
}
