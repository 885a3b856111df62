import Bitcoin
import Synchronization
import TestSupport

@testable import ChainData

/// Scans of a real node without a wallet.
enum NodeScan {
    /// What the node finds in a scan now: the JSON of the result.
    static func now(_ scripts: [Script], by node: BitcoinNode) async throws -> String {
        let result = Mutex("")
        let server = try NodeProxy(to: node) { call in
            guard call.method == "scantxoutset" else { return .truth }
            let truth = try call.truth()
            result.withLock { $0 = truth }
            return .result(truth)
        }
        let source = try server.source()
        _ = try await source.unspent(of: scripts)
        await source.close()
        withExtendedLifetime(server) {}
        return result.withLock { $0 }
    }

    /// The node's coins when its first scans gave these results, as if what came later had come during the scan.
    /// - Parameter alter: how other calls are answered.
    static func coins(
        of scripts: [Script], from node: BitcoinNode, after scans: [String],
        _ alter: @escaping @Sendable (NodeProxy.Call) throws -> NodeProxy.Answer = { _ in .truth }
    ) async throws -> (found: [[ChainCoin]], scanCount: Int) {
        let (source, scanCount) = try source(node, after: scans, alter)
        let found: [[ChainCoin]]
        do { found = try await source.coins(of: scripts) } catch {
            await source.close()
            throw error
        }
        await source.close()
        return (found, scanCount())
    }

    /// Why the node is not believed, or not waited for, when its first scans gave these results.
    /// - Returns: the error, and how often coins were scanned; `nil` if coins were found.
    static func failure(
        of scripts: [Script], from node: BitcoinNode, after scans: [String],
        _ alter: @escaping @Sendable (NodeProxy.Call) throws -> NodeProxy.Answer = { _ in .truth }
    ) async throws -> (error: ChainError, scanCount: Int)? {
        let (source, scanCount) = try source(node, after: scans, alter)
        var failure: ChainError?
        do throws(ChainError) { _ = try await source.unspent(of: scripts) } catch { failure = error }
        await source.close()
        return failure.map { ($0, scanCount()) }
    }

    private static func source(
        _ node: BitcoinNode, after scans: [String],
        _ alter: @escaping @Sendable (NodeProxy.Call) throws -> NodeProxy.Answer
    ) throws -> (any ChainSource, @Sendable () -> Int) {
        let left = Mutex(scans[...])
        let server = try NodeProxy(to: node) { call in
            guard call.method == "scantxoutset" else { return try alter(call) }
            return left.withLock { $0.popFirst() }.map { .result($0) } ?? .truth
        }
        return (try server.source(), { server.requests.count { $0.body.contains("scantxoutset") } })
    }
}
