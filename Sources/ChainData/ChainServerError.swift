/// Why a text names no chain server. Never holds the text itself, which may hold a password.
public enum ChainServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It starts with none of `esplora:`, `electrum:`, `core:`.
    case kind
    /// Not `HOST:PORT`, with `:t` (TCP) or `:s` (TLS) behind it or not.
    case electrum(String)
    /// No proper `http://` or `https://` address.
    case url(String)

    /// What is wrong with the name, for the middle of a sentence; never the name itself.
    public var description: String {
        switch self {
        case .kind: "a chain server is esplora:URL, electrum:HOST:PORT[:t|:s] or core:URL"
        case .electrum(let what): "an Electrum server is electrum:HOST:PORT[:t|:s]: \(what)"
        case .url(let what): "the chain server's address cannot be used: \(what)"
        }
    }
}
