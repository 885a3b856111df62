import ArgumentParser
import Settings
import TextLayout

/// `tapkit config list`: all saved settings.
struct ConfigListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all saved settings.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let file = try ConfigurationFile.read()
        var table = Table([.init(title: "KEY"), .init(title: "VALUE")])
        for key in ConfigurationKey.allCases {
            if let value = file.values[key] { table.add([.whole(key.rawValue), .whole(key.shown(value))]) }
        }
        options.console.answer(
            ConfigurationDocument(file), options.console.lines(table),
            remarks: file.values.isEmpty ? ["No settings are saved in \(file.path)."] : [])
    }
}
