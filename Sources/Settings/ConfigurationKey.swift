import Bitcoin
import ByteCodec
import ChainData

/// The default settings in the configuration file: options of every verb, by their long names.
package enum ConfigurationKey: String, CaseIterable {
    /// The reader to use.
    case reader
    /// The network, in place of the card's.
    case network
    /// The chain server.
    case chain
    /// The local store's folder, an absolute path.
    case dataDir = "data-dir"
    /// Factory roots accepted in addition to the maker's.
    case rootKey = "root-key"
    /// The proxy for chain servers.
    case proxy

    /// All names, for messages.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Checks that a value is valid, by the same rules as for the option.
    /// - Throws: `SettingError.badConfiguration`.
    package func check(_ value: String) throws(SettingError) {
        let setting = Setting(configured: value, key: self)
        switch self {
        case .reader: _ = try ReaderSpec(setting)
        case .network: _ = try Network(setting)
        case .chain: _ = try ChainServer(setting)
        case .rootKey:
            guard try [PublicKey](setting).isEmpty else { return }
            throw setting.invalid("It has no key.")
        case .dataDir:
            guard value.isEmpty || !value.hasPrefix("/") else { return }
            throw setting.invalid(
                "“\(value)” is not an absolute path.", remedy: "Give the whole path, beginning with /.")
        case .proxy: _ = try setting.proxyURL()
        }
    }

    /// A value as shown on screen: without the password in a URL.
    package func shown(_ value: String) -> String {
        guard self == .chain || self == .proxy, let scheme = value.range(of: "://"),
            let at = value[scheme.upperBound...].lastIndex(of: "@")
        else { return value }
        return value[..<scheme.upperBound] + "***" + value[at...]
    }
}
