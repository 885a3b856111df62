import Bitcoin
import ByteCodec
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// What a node without a wallet makes of coins while its chain grows, and of a mempool that is too large to look at.
@Suite(.serialized) struct CoreScanTests {
    private let sample = Sample()
    private static let tooMany = ChainError.notReady(
        ServerText("blocks were replaced, or more than 12 arrived, while the node looked for coins"))
    /// A block that is no longer in the chain.
    private static let replaced = String(repeating: "a4", count: 32)

    /// A node whose scans give these results, one after the other; the last one again and again. The next block arrives
    /// whenever the mempool is looked at.
    private func node(
        _ scans: [String], waiting: [TransactionID] = [], chain: GrowingChain? = nil
    ) throws -> (source: any ChainSource, count: @Sendable () -> Int) {
        let counter = ScanCounter()
        let (mempool, hex) = (waiting.map { "\"\($0)\"" }.joined(separator: ","), sample.hex)
        let server = try CoreStandIn { method, parameters in
            switch method {
            case "scantxoutset": return scans[min(counter.next(), scans.count - 1)]
            case "getrawmempool":
                chain?.grow()
                return "[\(mempool)]"
            case "getrawtransaction": return "\"\(hex)\""
            case "getblockheader" where parameters.first?.string == Self.replaced:
                return #"{"confirmations":-1,"height":200}"#
            default: return chain?.answer(method, parameters)
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

    /// A transaction that spends an output of another one, and pays the same script.
    private func spend(_ transaction: Transaction, _ satoshis: Int64) -> Transaction {
        Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: transaction.id, index: 0))],
            outputs: [TransactionOutput(value: satoshis, scriptPubKey: sample.script)])
    }

    /// The last block has a coin's transaction, which neither the scan nor the mempool has. The blocks arrived during
    /// the scan, or each while the mempool was looked at.
    @Test(arguments: [1, 2, CoreSource.mostNewBlocks], [true, false])
    func blocksThatArriveAreRead(_ number: Int, _ areThere: Bool) async throws {
        let transactions = [[Transaction]](repeating: [], count: number - 1) + [[sample.transaction]]
        let chain = try GrowingChain(transactions, arrived: areThere ? number : 0)
        let (source, count) = try node([scan()], chain: chain)
        #expect(try await source.unspent(of: [sample.script]).joined().map(\.height) == [200 + number])
        #expect(count() == 1)
    }

    @Test(arguments: [true, false]) func blocksThatKeepArrivingAreNotWaitedFor(_ areThere: Bool) async throws {
        let number = CoreSource.mostNewBlocks + 1
        let chain = try GrowingChain(.init(repeating: [], count: number), arrived: areThere ? number : 0)
        let (source, count) = try node([scan(200)], chain: chain)
        await #expect(throws: Self.tooMany) { try await source.unspent(of: [sample.script]) }
        #expect(count() == 2)
    }

    /// What a block pays, it or a later one may spend.
    @Test func aCoinThatANewBlockSpendsIsLeftOut() async throws {
        let first = spend(sample.transaction, 4_000)
        let second = spend(first, 3_000)
        let third = spend(second, 2_000)
        let chain = try GrowingChain([[first], [second, third]], arrived: 1)
        let (source, count) = try node([scan(200)], chain: chain)
        let coins = try await source.unspent(of: [sample.script]).joined()
        #expect(coins.map(\.outpoint) == [Outpoint(transactionID: third.id, index: 0)])
        #expect(coins.map(\.amount.satoshis) == [2_000] && coins.map(\.height) == [202])
        #expect(count() == 1)
    }

    @Test func whenABlockIsReplacedCoinsAreScannedAgain() async throws {
        let (source, count) = try node([scan(at: Self.replaced), scan(200)])
        #expect(try await source.unspent(of: [sample.script]).joined().map(\.height) == [200])
        #expect(count() == 2)
    }

    @Test func blocksThatAreReplacedAgainAreNotWaitedFor() async throws {
        let (source, count) = try node([scan(200, at: Self.replaced)])
        await #expect(throws: Self.tooMany) { try await source.unspent(of: [sample.script]) }
        #expect(Self.tooMany.code == .chainNotReady && count() == 2)
    }

    @Test func aCoinIsToldOnce() async throws {
        let (source, count) = try node([scan(200)], waiting: [sample.id])
        #expect(try await source.unspent(of: [sample.script]).joined().map(\.height) == [200])
        #expect(count() == 1)
    }

    // MARK: What is not believed

    /// Why a node's coins are refused that sends these in place of a true header or block.
    private func refusal(_ chain: GrowingChain, header: String? = nil, block: String? = nil) async throws -> String? {
        let scan = scan(200)
        let server = try CoreStandIn { method, parameters in
            switch method {
            case "scantxoutset": scan
            case "getblockheader": header ?? chain.answer(method, parameters)
            case "getblock": block ?? chain.answer(method, parameters)
            default: nil
            }
        }
        defer { withExtendedLifetime(server) {} }
        let source = try server.source(.forTests(retries: 0), hasWallet: false)
        let error = await #expect(throws: ChainError.self) { try await source.unspent(of: [sample.script]) }
        return error?.code.rawValue
    }

    @Test func anotherBlockIsNotBelieved() async throws {
        let chain = try GrowingChain([[sample.transaction], []], arrived: 1)
        let (first, second) = (chain.blocks[0], chain.blocks[1])
        #expect(try await refusal(chain, block: second.json) == "chain_lie")
        let header = #"{"confirmations":2,"height":200,"nextblockhash":"\#(second.hash)"}"#
        #expect(try await refusal(chain, header: header) == "chain_lie")
        // Without its end, its transactions or the end of its header, and with a byte too many.
        let bytes = first.bytes
        for part in [bytes.dropLast(), bytes.prefix(80), bytes.prefix(79), bytes.prefix(0), (bytes + [0])[...]] {
            let json = "\"\(Hex.encode(part))\""
            #expect(try await refusal(chain, block: json) == "chain_malformed", "\(part.count)")
        }
        for json in ["null", "5", "{}", "\"x\""] {
            #expect(try await refusal(chain, block: json) == "chain_malformed", "\(json)")
        }
    }

    @Test(arguments: [-1, 2_100_000_000_000_001] as [Int64])
    func anImpossiblePaymentIsNotBelieved(_ satoshis: Int64) async throws {
        let chain = try GrowingChain([[spend(sample.transaction, satoshis)]], arrived: 1)
        #expect(try await refusal(chain) == "chain_malformed")
    }

    @Test(arguments: [
        "{}", "[]", #"{"confirmations":"1","height":200}"#, #"{"confirmations":1.5,"height":200}"#,
        #"{"confirmations":2,"height":200}"#, #"{"confirmations":2,"height":200,"nextblockhash":"b5"}"#,
        #"{"confirmations":2,"height":-1,"nextblockhash":"\#(CoreStandIn.best)"}"#,
        #"{"confirmations":2,"nextblockhash":"\#(CoreStandIn.best)"}"#,
    ]) func aHeaderIsReadStrictly(_ header: String) async throws {
        #expect(try await refusal(GrowingChain([[]], arrived: 1), header: header) == "chain_malformed")
    }

    // MARK: A mempool that is too large

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
