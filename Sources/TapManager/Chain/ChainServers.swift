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

    /// One server for its own network. A request for a different network is refused (`ErrorCode.chainWrongNetwork`)
    /// without contacting the server.
    public init(_ source: any ChainSource) { provider = { _ in source } }

    /// A server for each network.
    /// - Parameter provider: opens the server of a network, which connects when it is asked; `nil`: there is none. It
    ///   is called once, when the network is first needed. If it throws or has none, the task ends, and the next one
    ///   calls it again. It must not call the manager. Tasks throw its errors unchanged.
    public init(_ provider: @escaping @Sendable (Network) throws -> (any ChainSource)?) { self.provider = provider }
}
