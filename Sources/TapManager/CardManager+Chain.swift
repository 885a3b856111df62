import Bitcoin
import ChainData

/// This manager's chain servers.
extension CardManager {
    /// Confirms that there is a chain server for a task, before anything else is done.
    /// - Returns: the server's name.
    /// - Throws: `NoChainServer`, and why the server cannot be used.
    @discardableResult
    package nonisolated func requireChainServer(for task: NoChainServer.Purpose, on network: Network) throws -> String {
        try chain.required(task, on: network).name
    }

    /// Closes the connections to chain servers; each is reopened when its server is asked again. The manager's end
    /// closes them, too.
    package nonisolated func closeChainConnections() async { await chain.close() }
}
