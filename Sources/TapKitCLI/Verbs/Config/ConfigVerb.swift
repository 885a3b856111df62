import ArgumentParser
import Settings

/// `tapkit config`: default settings.
struct ConfigVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Save default settings: chain server, reader, network.",
        discussion: """
            Keys are long option names: \(ConfigurationKey.names). An option overrides the environment, which \
            overrides the configuration in $XDG_CONFIG_HOME/tapkit/config.json.
            """,
        subcommands: [ConfigListVerb.self, ConfigGetVerb.self, ConfigSetVerb.self, ConfigUnsetVerb.self])
}

/// The answer of every verb below `config`.
struct ConfigurationDocument: Encodable {
    let config: [String: String]
    let file: String

    init(_ file: ConfigurationFile, _ keys: [ConfigurationKey] = ConfigurationKey.allCases) {
        config = Dictionary(
            uniqueKeysWithValues: keys.compactMap { key in file.values[key].map { (key.rawValue, $0) } })
        self.file = file.path
    }
}

/// A key of the configuration, as the user names it.
enum ConfigurationKeyArgument {
    /// - Throws: `Failure.badConfiguration` for an unknown key.
    static func parse(_ name: String) throws(Failure) -> ConfigurationKey {
        guard let key = ConfigurationKey(rawValue: name) else {
            throw Failure(
                .badConfiguration, "Unknown key “\(name)”.", hint: "Keys: \(ConfigurationKey.names).")
        }
        return key
    }
}
