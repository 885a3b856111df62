import Bitcoin
import ChainData

/// The chain servers that this manager asks.
extension CardManager {
    /// Makes sure that there is a chain server for a task, before anything else is done.
    /// - Returns: the server's name.
    /// - Throws: `NoChainServer`, and why the server cannot be used.
    @discardableResult
    package nonisolated func requireChainServer(for task: NoChainServer.Purpose, on network: Network) throws -> String {
        try chain.required(task, on: network).name
    }

    /// Ends the connections to chain servers; each is made anew when its server is asked again. They end with the manager, too.
    package nonisolated func closeChainConnections() async { await chain.close() }
}
