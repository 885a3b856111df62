import ArgumentParser

/// `tapkit config`: options that are said once and for all.
struct ConfigVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Say a chain server, a reader or a network once and for all.",
        discussion: """
            Keys are long option names: \(ConfigurationKey.names). An option beats the environment, and that beats the \
            configuration, which is $XDG_CONFIG_HOME/tapkit/config.json.
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

/// A key of the configuration, as people name it.
enum ConfigurationKeyArgument {
    /// - Throws: `Failure.badConfiguration` for a key that there is not.
    static func parse(_ name: String) throws(Failure) -> ConfigurationKey {
        guard let key = ConfigurationKey(rawValue: name) else {
            throw Failure(
                .badConfiguration, "There is no key “\(name)”.", hint: "Keys: \(ConfigurationKey.names).")
        }
        return key
    }
}
