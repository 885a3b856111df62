/// Why a text does not name a chain server. Never contains the text, which may include a password.
public enum ChainServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has none of the forms of a server's name (`ChainServer.forms`).
    case kind
    /// Not `HOST:PORT`, optionally followed by `:t` (TCP) or `:s` (TLS).
    case electrum(String)
    /// Not a valid `http://` or `https://` address.
    case url(String)

    /// What is wrong with the name, for the middle of a sentence; never the name itself.
    public var description: String {
        switch self {
        case .kind: "this does not name a chain server"
        case .electrum(let what): "an Electrum server is electrum:HOST:PORT[:t|:s]: \(what)"
        case .url(let what): "the chain server's address cannot be used: \(what)"
        }
    }
}
