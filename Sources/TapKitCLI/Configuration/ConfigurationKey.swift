import Bitcoin
import ByteCodec
import ChainData

/// The default settings in the configuration file: options of every verb, by their long names.
enum ConfigurationKey: String, CaseIterable {
    case reader
    case network
    case chain
    case dataDir = "data-dir"
    case rootKey = "root-key"
    case proxy

    /// All names, for messages.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Checks that a value is valid, by the same rules as for the option.
    /// - Throws: `Failure.badConfiguration`.
    func check(_ value: String) throws(Failure) {
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
                "“\(value)” is not an absolute path.", hint: "The store must not depend on the current folder.")
        case .proxy: _ = try setting.proxyURL()
        }
    }

    /// A value as shown on screen: without the password in a URL.
    func shown(_ value: String) -> String {
        guard self == .chain || self == .proxy, let scheme = value.range(of: "://"),
            let at = value[scheme.upperBound...].lastIndex(of: "@")
        else { return value }
        return value[..<scheme.upperBound] + "***" + value[at...]
    }
}
