import ArgumentParser
import Settings
import TapManager
import TextLayout

/// Shell completions from the store and the configuration. No card is used, and no store is created.
extension CompletionKind {
    /// The names of the local store's wallets.
    static var wallets: CompletionKind {
        .custom { words, _, _ in Self.stored(words) { try $0.wallets().map(\.name) } }
    }

    /// The ids of the newest stored transactions, as the user types them.
    static var transactions: CompletionKind {
        .custom { words, _, _ in
            Self.stored(words) { try $0.transactions(limit: newest, offset: 0).map(\.id.abbreviated) }
        }
    }

    /// The keys of the configuration.
    static var configurationKeys: CompletionKind { .list(ConfigurationKey.allCases.map(\.rawValue)) }

    private static let newest = 50

    /// Names from the store that the command line refers to; none if it cannot be read.
    private static func stored(_ words: [String], _ names: (SQLiteStore) throws -> [String]) -> [String] {
        do {
            var options = try GlobalOptions.parse([])
            options.dataFolderText = dataFolder(in: words)
            guard let store = try options.storeFolder().lookedInto() else { return [] }
            // Names with control characters cannot be typed.
            return try names(store).filter { TerminalText.neutralized($0) == $0 }
        } catch { return [] }
    }

    private static func dataFolder(in words: [String]) -> String? {
        let option = "--data-dir"
        let assigned = words.last { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        return assigned ?? words.lastIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
    }
}
