import Bitcoin
import ChainData

/// This manager's chain servers.
extension CardManager {
    /// Confirms that there is a chain server for a task, before anything else is done.
    /// - Returns: the server's name.
    /// - Throws: `NoChainServer`, and why the server cannot be used.
    @discardableResult
    package nonisolated func requireChainServer(for task: NoChainServer.Purpose, on network: Network) throws -> String {
        try chain.name(for: task, on: network)
    }
}
