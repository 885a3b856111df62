import Bitcoin
import ChainData
import Synchronization

/// A manager's connections to its chain servers: one for each network, made when it is first needed, and open only as
/// long as a use case is running.
final class ChainConnections: Sendable {
    /// The use cases that are running now.
    private struct Use {
        var count = 0
        /// Closes the connections of the last ones; the next one waits for it.
        var closing: Task<Void, Never>?
    }

    private let servers: ChainServers?
    private let made = Mutex<[Network: any ChainSource]>([:])
    private let use = Mutex(Use())

    init(_ servers: ChainServers?) { self.servers = servers }

    /// Runs a use case that may ask servers. When it is over, however it ended, the connections are closed, unless
    /// another use case is still running, or it is part of a larger one. A server that is asked again connects again.
    func during<Result>(_ useCase: (Servers) async throws -> Result) async throws -> Result {
        await begin()
        do {
            let result = try await useCase(Servers(connections: self))
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    private func begin() async {
        func closing() -> Task<Void, Never>? {
            use.withLock { use in
                if use.closing == nil { use.count += 1 }
                return use.closing
            }
        }
        while let closing = closing() { await closing.value }
    }

    private func end() async {
        let sources = made.withLock { Array($0.values) }
        let closing: Task<Void, Never>? = use.withLock { use in
            use.count -= 1
            guard use.count == 0, !sources.isEmpty else { return nil }
            // The task that ends may have been cancelled; the connections are closed anyway.
            let closing = Task {
                for source in sources { await source.close() }
                self.use.withLock { $0.closing = nil }
            }
            use.closing = closing
            return closing
        }
        await closing?.value
    }

    /// The name of a network's server, for a task that needs one. Connects to nothing.
    /// - Throws: `NoChainServer`, and what `Servers.source(on:)` throws.
    func name(for task: NoChainServer.Purpose, on network: Network) throws -> String {
        guard let source = try source(on: network) else { throw NoChainServer(task: task) }
        return source.name
    }

    private func source(on network: Network) throws -> (any ChainSource)? {
        try made.withLock { made in try made[network] ?? open(network, in: &made) }
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

    /// What a use case may ask, as long as it is running.
    struct Servers {
        fileprivate let connections: ChainConnections

        /// The connection to a network's server, for one task; `nil`: there is none.
        /// - Throws: the program's error in opening it; `ChainError.wrongNetwork` for a server of another network.
        func source(on network: Network) throws -> (any ChainSource)? {
            let source = try connections.source(on: network)
            source?.beginTask()
            return source
        }

        /// The connection to a network's server, for a task that needs one.
        /// - Throws: `NoChainServer`, and what `source(on:)` throws.
        func required(_ task: NoChainServer.Purpose, on network: Network) throws -> any ChainSource {
            guard let source = try source(on: network) else { throw NoChainServer(task: task) }
            return source
        }
    }
}
