import Bitcoin
import ByteCodec
import ChainData
import TapManager
import TapProtocol
import Terminal

/// Parses settings, wherever they come from, and defines which option, variable and configuration key belong together.
extension ReaderSpec {
    /// The requested reader; `nil`: none.
    package static func asked(_ option: String?) throws(SettingError) -> ReaderSpec? {
        guard let setting = try Setting(option: option, variable: "TAPKIT_READER", key: .reader) else { return nil }
        return try ReaderSpec(setting)
    }

    /// - Throws: `SettingError`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    package init(_ setting: Setting) throws(SettingError) {
        guard let spec = ReaderSpec(parsing: setting.text) else {
            throw setting.invalid(
                "Unknown reader “\(setting.text)”.",
                advice: .readers)
        }
        self = spec
    }
}

extension Network {
    /// - Throws: `SettingError`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    package init(_ setting: Setting) throws(SettingError) {
        guard let network = Network(rawValue: setting.text) else {
            throw setting.invalid(
                "Unknown network “\(setting.text)”.", remedy: "Choose from: main, test, testnet4, signet, regtest.")
        }
        self = network
    }
}

extension [PublicKey] {
    /// The factory roots accepted in addition to the maker's.
    package static func asked(_ options: [String]) throws(SettingError) -> [PublicKey] {
        let option = options.isEmpty ? nil : options.joined(separator: ",")
        guard let setting = try Setting(option: option, variable: "TAPKIT_ROOT_KEY", key: .rootKey) else { return [] }
        return try [PublicKey](setting)
    }

    /// Keys separated by commas or spaces.
    /// - Throws: `SettingError`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    package init(_ setting: Setting) throws(SettingError) {
        self = []
        for text in setting.text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let bytes = try? Hex.decode(String(text)), let key = try? PublicKey(bytes) else {
                throw setting.invalid("A factory root key is a compressed public key of 66 hexadecimal digits.")
            }
            append(key)
        }
    }
}

extension Setting {
    private static let proxySchemes = ["socks5h://", "socks5://", "http://"]

    /// The proxy for chain servers.
    /// - Throws: `SettingError`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    package func proxyURL() throws(SettingError) -> String {
        guard let scheme = Self.proxySchemes.first(where: text.hasPrefix), text.count > scheme.count else {
            throw invalid(
                "“\(text)” is not a valid proxy.",
                remedy: "For Tor: socks5h://127.0.0.1:9050. Also: socks5://… or http://….")
        }
        return text
    }
}

extension ChainServer {
    /// The requested chain server; `nil`: none. There is no default.
    package static func asked(_ option: String?) throws(SettingError) -> ChainServer? {
        guard let setting = try Setting(option: option, variable: "TAPKIT_CHAIN", key: .chain) else { return nil }
        return try ChainServer(setting)
    }

    /// - Throws: `SettingError`: `.usage`, `.badEnvironment`, `.badConfiguration`.
    package init(_ setting: Setting) throws(SettingError) {
        do throws(ChainServerError) { self = try ChainServer(parsing: setting.text) } catch {
            throw setting.invalid(error.message, remedy: error.remedy)
        }
    }
}

extension CardChoice {
    /// The requested card.
    package static func asked(_ option: String?) -> CardChoice {
        Setting(option: option, variable: "TAPKIT_CARD").map { .identContaining($0.text.uppercased()) } ?? .any
    }
}

extension StoreFolder {
    /// The location of the local store.
    /// - Throws: `SettingError.badEnvironment` if no folder was named and there is no home folder.
    package static func asked(_ option: String?) throws(SettingError) -> StoreFolder {
        if let setting = try Setting(option: option, variable: "TAPKIT_DATA_DIR", key: .dataDir) {
            guard !setting.text.isEmpty else { throw setting.invalid("The store's folder has no name.") }
            return StoreFolder(folder: setting.text)
        }
        guard let folder = EnvironmentVariable.ownFolder(in: "XDG_DATA_HOME", usually: ".local/share") else {
            throw SettingError(
                .badEnvironment, "There is no home folder for the local store.", advice: .storeFolder)
        }
        return StoreFolder(folder: folder)
    }
}
