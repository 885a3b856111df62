import Bitcoin
import ChainData
import TapManager

/// What was asked for: by an option, or where that was not given by its environment variable or the configuration. The only place
/// that knows which belong together.
extension ReaderSpec {
    /// Where nothing was asked for.
    static let usual = ReaderSpec.pcsc(nameContains: nil)

    /// Which reader; `nil`: none was named.
    static func asked(_ option: String?) throws(Failure) -> ReaderSpec? {
        guard let setting = try Setting(option: option, variable: "TAPKIT_READER", key: .reader) else { return nil }
        return try ReaderSpec(setting)
    }
}

extension CardChoice {
    /// Which card.
    static func asked(_ option: String?) -> CardChoice {
        Setting(option: option, variable: "TAPKIT_CARD").map { .identContaining($0.text.uppercased()) } ?? .any
    }
}

extension Network {
    /// Which network; `nil`: what the card says.
    static func asked(_ option: String?) throws(Failure) -> Network? {
        guard let setting = try Setting(option: option, variable: "TAPKIT_NETWORK", key: .network) else { return nil }
        return try Network(setting)
    }
}

extension [PublicKey] {
    /// The factory roots accepted beside the maker's.
    static func asked(_ options: [String]) throws(Failure) -> [PublicKey] {
        let option = options.isEmpty ? nil : options.joined(separator: ",")
        guard let setting = try Setting(option: option, variable: "TAPKIT_ROOT_KEY", key: .rootKey) else { return [] }
        return try [PublicKey](setting)
    }
}

extension ChainServer {
    /// Which chain server; `nil`: none was named, and none is guessed.
    static func asked(_ option: String?) throws(Failure) -> ChainServer? {
        guard let setting = try Setting(option: option, variable: "TAPKIT_CHAIN", key: .chain) else { return nil }
        return try ChainServer(setting)
    }
}

extension StoreFolder {
    /// Where the local store is.
    /// - Throws: `Failure.badEnvironment` when no folder was named and there is no home folder to put it in.
    static func asked(_ option: String?) throws(Failure) -> StoreFolder {
        if let setting = try Setting(option: option, variable: "TAPKIT_DATA_DIR", key: .dataDir) {
            guard !setting.text.isEmpty else { throw setting.invalid("The store's folder has no name.") }
            return StoreFolder(folder: setting.text)
        }
        guard let folder = EnvironmentVariable.ownFolder(in: "XDG_DATA_HOME", usually: ".local/share") else {
            throw Failure(
                .badEnvironment, "There is no home folder for the local store.",
                hint: "Set HOME, or name a folder with --data-dir.")
        }
        return StoreFolder(folder: folder)
    }
}
