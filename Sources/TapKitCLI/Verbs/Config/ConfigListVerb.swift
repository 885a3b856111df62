import ArgumentParser

/// `tapkit config list`: everything that is configured.
struct ConfigListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Everything that is configured.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let file = try ConfigurationFile.read()
        var table = Table([.init(title: "KEY"), .init(title: "VALUE")])
        for key in ConfigurationKey.allCases {
            if let value = file.values[key] { table.add([.whole(key.rawValue), .whole(key.shown(value))]) }
        }
        options.console.answer(
            ConfigurationDocument(file), options.console.lines(table),
            remarks: file.values.isEmpty ? ["Nothing is configured in \(file.path)."] : [])
    }
}
