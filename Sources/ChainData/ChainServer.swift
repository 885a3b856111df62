import Bitcoin
import ByteCodec

/// A chain server, in the form used on the command line.
///
/// - `esplora:URL`, as in `esplora:https://example.org/api`
/// - `electrum:HOST:PORT[:t|:s]`: `:t` is TCP, `:s` TLS. With neither, it is TLS, except on the ports that servers use for TCP
///   (50001, 51001, 60001 and 40001) and for servers on this machine. IPv6 addresses are in brackets.
/// - `core:URL`, as in `core:http://127.0.0.1:8332`. User and password are part of the address; otherwise the cookie file is
///   used: the one in `?cookie=PATH` or, for a node on this machine, the one in `.bitcoin` in the home folder. A path
///   `/wallet/NAME` selects a watch-only wallet. For scripts that are new to it, the node scans the blocks from the first
///   one, or from the day in `?since=YYYY-MM-DD`.
///
/// User and password, and cookies, are sent over `http://` only to this machine, unless the address has `?cleartext=yes`.
public struct ChainServer: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case esplora(ServerURL)
        case electrum(LineEndpoint)
        case core(ServerURL)
    }

    let kind: Kind

    /// The forms of a server's name, for the user; part of a sentence.
    package static let forms = "esplora:URL, electrum:HOST:PORT[:t|:s] or core:URL"

    /// Ports on which Electrum servers listen without TLS: main network, test networks, and usual variants.
    private static let plainPorts: Set<UInt16> = [50001, 51001, 60001, 40001]

    /// Ports on which they listen with TLS.
    private static let securePorts: Set<UInt16> = [50002, 51002, 60002, 40002]

    /// Reads a server's name.
    public init(parsing text: some StringProtocol) throws(ChainServerError) {
        guard !text.hasEndlessLetter else { throw .kind }
        let parts = String(text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .kind }
        switch parts[0] {
        case "esplora":
            let url = try ServerURL(parsing: parts[1])
            guard url.query.keys.allSatisfy({ $0 == "cleartext" }) else {
                throw .url("only cleartext=yes is allowed after the ?")
            }
            kind = .esplora(url)
        case "electrum": kind = .electrum(try Self.electrum(parts[1]))
        case "core":
            let url = try ServerURL(parsing: parts[1])
            guard url.query.keys.allSatisfy({ ["cookie", "cleartext", "since"].contains($0) }) else {
                throw .url("only cookie=PATH, since=DAY and cleartext=yes are allowed after the ?")
            }
            guard url.query["since"].map({ CoreBirthday(parsing: $0) != nil }) ?? true else {
                throw .url("since must be a day, such as 2024-05-01")
            }
            guard CoreSource.isPath(url.path) else { throw .url("the path can only be /wallet/NAME") }
            kind = .core(url)
        default: throw .kind
        }
    }

    private static func electrum(_ text: Substring) throws(ChainServerError) -> LineEndpoint {
        var text = text
        var isSecure: Bool?
        for (suffix, secure) in [(":s", true), (":t", false)] where text.hasSuffix(suffix) {
            isSecure = secure
            text = text.dropLast(2)
        }
        guard let colon = text.lastIndex(of: ":") else { throw .electrum("the port is missing") }
        guard let port = ServerAddress.port(text[text.index(after: colon)...]) else {
            throw .electrum("the port is not a number from 1 to 65535")
        }
        guard let host = ServerAddress.host(text[..<colon]) else { throw .electrum("the host name is not valid") }
        return LineEndpoint(
            host: host, port: port,
            isSecure: isSecure
                ?? !(plainPorts.contains(port) || ServerAddress.isLoopback(host) && !securePorts.contains(port)))
    }

    /// The server, ready for requests; it connects at first use.
    public func open(network: Network, settings: ChainSettings = ChainSettings()) -> any ChainSource {
        switch kind {
        case .esplora(let url): EsploraSource(url, network: network, settings: settings)
        case .electrum(let endpoint): ElectrumSource(endpoint, network: network, settings: settings)
        case .core(let url): CoreSource(url, network: network, settings: settings)
        }
    }

    /// The name, without a password.
    public var description: String {
        switch kind {
        case .esplora(let url): "esplora:\(url)"
        case .electrum(let endpoint): "electrum:\(endpoint.server):\(endpoint.isSecure ? "s" : "t")"
        case .core(let url): "core:\(url)"
        }
    }
}
