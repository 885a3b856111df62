import Bitcoin
import ChainData
import Synchronization

/// A manager's connections to its chain servers: one for each network, made when it is first needed, and kept.
final class ChainConnections: Sendable {
    private let servers: ChainServers?
    private let made = Mutex<[Network: any ChainSource]>([:])

    init(_ servers: ChainServers?) { self.servers = servers }

    /// The connection to a network's server, for one task; `nil`: there is none.
    /// - Throws: the program's error in opening it; `ChainError.wrongNetwork` for a server of another network.
    func source(on network: Network) throws -> (any ChainSource)? {
        guard let source = try made.withLock({ made in try made[network] ?? open(network, in: &made) }) else {
            return nil
        }
        source.beginTask()
        return source
    }

    private func open(_ network: Network, in made: inout [Network: any ChainSource]) throws -> (any ChainSource)? {
        guard let source = try servers?.provider(network) else { return nil }
        // A server's answer for a different network would be believed: test coins would pass for real ones.
        guard source.network == network else {
            throw ChainError.wrongNetwork(found: ServerText(source.network.description), wanted: network)
        }
        made[network] = source
        return source
    }

    /// The connection to a network's server, for a task that needs one.
    /// - Throws: `NoChainServer`, and what `source(on:)` throws.
    func required(_ task: NoChainServer.Purpose, on network: Network) throws -> any ChainSource {
        guard let source = try source(on: network) else { throw NoChainServer(task: task) }
        return source
    }

    /// Closes the connections; each is reopened when its server is asked again.
    func close() async {
        for source in made.withLock({ Array($0.values) }) { await source.close() }
    }
}
