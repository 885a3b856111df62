import Bitcoin
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// What a node without a wallet makes of coins while its chain grows, and of a mempool that is too large to look at.
@Suite(.serialized) struct CoreScanTests {
    private let sample = Sample()

    /// A node whose scans give these results, one after the other; the last one again and again.
    private func node(
        _ scans: [String], waiting: [TransactionID] = []
    ) throws -> (source: any ChainSource, count: @Sendable () -> Int) {
        let counter = ScanCounter()
        let (mempool, hex) = (waiting.map { "\"\($0)\"" }.joined(separator: ","), sample.hex)
        let server = try CoreStandIn { method, _ in
            switch method {
            case "scantxoutset": scans[min(counter.next(), scans.count - 1)]
            case "getrawmempool": "[\(mempool)]"
            case "getrawtransaction": "\"\(hex)\""
            default: nil
            }
        }
        let source = try server.source(.forTests(retries: 0), hasWallet: false)
        return (source, { withExtendedLifetime(server) { counter.count } })
    }

    private func scan(_ heights: Int..., at block: String = CoreStandIn.best) -> String {
        let coins = heights.map {
            #"{"txid":"\#(sample.id)","vout":0,"scriptPubKey":"\#(sample.script)","amount":0.00005000,"height":\#($0)}"#
        }
        return CoreStandIn.scan("[\(coins.joined(separator: ","))]", at: block)
    }

    /// The block had the coin's transaction, which was in the mempool before: neither the scan nor the mempool has it.
    @Test func aBlockDuringAScanIsNoticed() async throws {
        let (source, count) = try node([scan(at: String(repeating: "a4", count: 32)), scan(200)])
        #expect(try await source.unspent(of: [sample.script]).joined().map(\.height) == [200])
        #expect(count() == 2)
    }

    @Test func blocksThatKeepArrivingAreNotWaitedFor() async throws {
        let (source, count) = try node([scan(at: String(repeating: "a4", count: 32))])
        let error = await #expect(throws: ChainError.self) { try await source.unspent(of: [sample.script]) }
        #expect(error?.code == .chainNotReady && count() == 2)
    }

    @Test func aCoinIsToldOnce() async throws {
        let (source, count) = try node([scan(200)], waiting: [sample.id])
        #expect(try await source.unspent(of: [sample.script]).joined().map(\.height) == [200])
        #expect(count() == 1)
    }

    /// Whether unconfirmed coins would have been seen.
    @Test(arguments: [0, CoreKnowledge.mostUnconfirmed + 1])
    func aMempoolThatIsNotLookedAtIsSaidToBe(_ size: Int) async throws {
        let ids = "[\((0..<size).map { "\"\(Sample("\($0)").id)\"" }.joined(separator: ","))]"
        let server = try CoreStandIn { method, _ in
            switch method {
            case "scantxoutset": CoreStandIn.scan("[]")
            case "getrawmempool": ids
            default: nil
            }
        }
        defer { withExtendedLifetime(server) {} }
        var settings = ChainSettings.forTests(retries: 0)
        settings.longestAnswer = 1_000_000
        let source = try server.source(settings, hasWallet: false)
        #expect(source.features.isEmpty)
        #expect(try await source.unspent(of: [sample.script]).joined().isEmpty)
        #expect(source.features == (size == 0 ? [.unconfirmed] : []))
    }
}

/// How often something was asked.
private final class ScanCounter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    /// The number of the question, from 0.
    func next() -> Int {
        state.withLock { count in
            count += 1
            return count - 1
        }
    }
}
