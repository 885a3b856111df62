import Bitcoin
import ChainData

/// Which chain server a manager asks about a network.
///
/// ```swift
/// let electrum = try ChainServer(parsing: "electrum:localhost:50001:t")
/// let manager = CardManager(store: store, chain: ChainServers { electrum.open(network: $0) }, clock: UnixTime.now)
/// ```
public struct ChainServers: Sendable {
    let provider: @Sendable (Network) throws -> (any ChainSource)?

    /// One server, which is asked about its own network; a question about another one is refused (`ErrorCode.chainWrongNetwork`)
    /// before the server hears of it.
    public init(_ source: any ChainSource) { provider = { _ in source } }

    /// A server for each network.
    /// - Parameter provider: opens the server of a network, which connects when it is asked; `nil`: there is none. It is called when
    ///   the network is first asked about, and once, unless it throws or has none: then the task ends, and the next one calls it
    ///   again. It must not call the manager. What it throws is thrown by what asked.
    public init(_ provider: @escaping @Sendable (Network) throws -> (any ChainSource)?) { self.provider = provider }
}
