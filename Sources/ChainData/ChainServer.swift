import Bitcoin
import ByteCodec

/// A chain server as it is named on the command line.
///
/// - `esplora:URL`, as in `esplora:https://example.org/api`
/// - `electrum:HOST:PORT[:t|:s]`: `:t` is TCP, `:s` TLS. Without either it is TLS, but for the ports that servers use for TCP
///   (50001, 51001, 60001 and 40001) and for this machine's own servers. IPv6 addresses stand in brackets.
/// - `core:URL`, as in `core:http://127.0.0.1:8332`. User and password stand in the address; else the cookie file is read:
///   the one named with `?cookie=PATH` or, for a node of this machine, the one in `.bitcoin` in the home folder. A path `/wallet/NAME` names a watch-only
///   wallet, which is used then; for scripts that are new to it it looks through the blocks, from the first one or with
///   `?since=YYYY-MM-DD` from those of that day on.
///
/// User and password, and cookies, go over `http://` to this machine alone, unless `?cleartext=yes` stands behind the address.
public struct ChainServer: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case esplora(ServerURL)
        case electrum(LineEndpoint)
        case core(ServerURL)
    }

    let kind: Kind

    /// Ports on which Electrum servers speak without TLS: main network, test networks, and their usual neighbours.
    private static let plainPorts: Set<UInt16> = [50001, 51001, 60001, 40001]

    /// Ports on which they speak TLS.
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
                throw .url("behind the ? there may only be cleartext=yes")
            }
            kind = .esplora(url)
        case "electrum": kind = .electrum(try Self.electrum(parts[1]))
        case "core":
            let url = try ServerURL(parsing: parts[1])
            guard url.query.keys.allSatisfy({ ["cookie", "cleartext", "since"].contains($0) }) else {
                throw .url("behind the ? there may only be cookie=PATH, since=DAY and cleartext=yes")
            }
            guard url.query["since"].map({ CoreBirthday(parsing: $0) != nil }) ?? true else {
                throw .url("since must be a day, such as 2024-05-01")
            }
            guard CoreSource.isPath(url.path) else { throw .url("the path may only be /wallet/NAME") }
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
            throw .electrum("the port is no number from 1 to 65535")
        }
        guard let host = ServerAddress.host(text[..<colon]) else { throw .electrum("the host's name cannot be one") }
        return LineEndpoint(
            host: host, port: port,
            isSecure: isSecure
                ?? !(plainPorts.contains(port) || ServerAddress.isLoopback(host) && !securePorts.contains(port)))
    }

    /// The server, ready to be asked; it connects at first use.
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
