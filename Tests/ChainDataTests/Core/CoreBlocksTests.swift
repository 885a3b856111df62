import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// How a node's answers about transactions' outputs are read.
@Suite struct CoreBlocksTests {
    private static let best = String(repeating: "ab", count: 32)
    private static let sample = Sample()

    /// What a node of 200 blocks tells that has the transaction in its mempool, too.
    private func heights(_ output: String) async throws -> [TransactionID: TransactionHeight] {
        let server = try CoreStandIn { method, _ in
            switch method {
            case "getblockchaininfo":
                #"{"chain":"regtest","initialblockdownload":false,"blocks":200,"bestblockhash":"\#(Self.best)"}"#
            case "gettxout": output
            default: nil
            }
        }
        let source = try server.source(.forTests(), hasWallet: false)
        let sought = SoughtTransaction(Self.sample.transaction, script: Self.sample.script)
        let heights = try await source.heights(of: [sought])
        await source.close()
        return heights
    }

    @Test(arguments: [(1, 200), (2, 199), (201, 0)]) func confirmationsTellTheHeight(
        _ confirmations: Int, _ height: Int
    ) async throws {
        let output = #"{"bestblock":"\#(Self.best)","confirmations":\#(confirmations)}"#
        #expect(try await heights(output) == [Self.sample.id: .block(height)])
    }

    @Test(arguments: ["0", "202", "-1", "1.5", "\"1\"", "null"]) func impossibleConfirmationsAreRefused(
        _ confirmations: String
    ) async throws {
        let error = await #expect(throws: ChainError.self) {
            try await heights(#"{"bestblock":"\#(Self.best)","confirmations":\#(confirmations)}"#)
        }
        #expect(error?.code == .chainMalformed)
    }

    /// Confirmations counted from another block than the last one would tell another height.
    @Test func whatABlockDisturbsIsLeftOut() async throws {
        let other = String(repeating: "cd", count: 32)
        #expect(try await heights(#"{"bestblock":"\#(other)","confirmations":1}"#) == [Self.sample.id: .waiting])
        #expect(try await heights("null") == [Self.sample.id: .waiting])
    }

    /// All transactions are asked about at once.
    @Test func manyTransactionsAreOneRequest() async throws {
        let node = try await BitcoinNode.shared()
        let server = try NodeProxy(to: node)
        defer { withExtendedLifetime(server) {} }
        let source = try server.source()
        let sought = (0..<30).map { SoughtTransaction(Sample("\($0)").transaction, script: Self.sample.script) }
        #expect(try await source.heights(of: sought).isEmpty)
        // The network is checked before.
        #expect(server.requests.count == 2)
        await source.close()
    }
}
