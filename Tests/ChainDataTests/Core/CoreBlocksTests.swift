import Bitcoin
import ByteCodec
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// How a node's answers about transactions' outputs are read: a real node's, altered.
@Suite struct CoreBlocksTests {
    private static let sample = Sample()

    /// The last block that a node told of.
    private struct Tip {
        var height = 0
        var hash = ""
    }

    /// Where the sample is according to a node that has it in its mempool, too.
    /// - Parameter output: the JSON of what the node says of its output.
    private func height(
        _ output: @escaping @Sendable (Tip) -> String
    ) async throws -> (height: TransactionHeight?, tip: Int) {
        let tip = Mutex(Tip())
        let server = try NodeProxy(to: try await BitcoinNode.shared()) { call in
            switch call.method {
            case "getblockchaininfo":
                let truth = try call.truth()
                let information = try JSONValue(answer: Array(truth.utf8))
                let last = Tip(
                    height: try information.height("blocks"), hash: try information.text("bestblockhash"))
                tip.withLock { $0 = last }
                return .result(truth)
            case "getmempoolentry": return .result("{}")
            case "gettxout": return .result(output(tip.withLock { $0 }))
            default: return .truth
            }
        }
        let source = try server.source()
        let heights = try await source.heights(of: [
            SoughtTransaction(Self.sample.transaction, script: Self.sample.script)
        ])
        await source.close()
        return (heights[Self.sample.id], tip.withLock { $0.height })
    }

    private static func output(in block: String, _ confirmations: some CustomStringConvertible) -> String {
        #"{"bestblock":"\#(block)","confirmations":\#(confirmations)}"#
    }

    @Test func confirmationsTellTheHeight() async throws {
        let last = try await height { Self.output(in: $0.hash, 1) }
        #expect(last.height == .block(last.tip))
        let next = try await height { Self.output(in: $0.hash, 2) }
        #expect(next.height == .block(next.tip - 1))
        let first = try await height { Self.output(in: $0.hash, $0.height + 1) }
        #expect(first.height == .block(0))
    }

    @Test(arguments: ["0", "-1", "1.5", "\"1\"", "null"]) func impossibleConfirmationsAreRefused(
        _ confirmations: String
    ) async throws {
        let error = await #expect(throws: ChainError.self) {
            try await height { Self.output(in: $0.hash, confirmations) }
        }
        #expect(error?.code == .chainMalformed)
    }

    @Test func moreConfirmationsThanBlocksAreRefused() async throws {
        let error = await #expect(throws: ChainError.self) {
            try await height { Self.output(in: $0.hash, $0.height + 2) }
        }
        #expect(error?.code == .chainMalformed)
    }

    /// Confirmations counted from another block than the last one would tell another height.
    @Test func whatABlockDisturbsIsLeftOut() async throws {
        let other = String(repeating: "cd", count: 32)
        #expect(try await height { _ in Self.output(in: other, 1) }.height == .waiting)
        #expect(try await height { _ in "null" }.height == .waiting)
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
