import Bitcoin
import ByteCodec
import Synchronization
import TestSupport
import Testing

@testable import ChainData

/// What is made of a real node's coins while its chain grows, and what of an altered answer is not believed.
@Suite(.serialized) struct CoreScanTests {
    /// A node for these tests, which come one after the other.
    private static let node = Task { try await BitcoinNode.start() }
    private let own: SingleKey
    private let amount: Amount

    init() throws {
        own = try SingleKey("scanned")
        amount = try #require(Amount(satoshis: 5_000))
    }

    /// The last of these blocks has a coin's transaction, which neither the scan nor the mempool has: each arrives
    /// while the mempool is looked at.
    @Test(arguments: [1, 2, CoreSource.mostNewBlocks]) func blocksThatArriveAreRead(_ number: Int) async throws {
        let node = try await Self.node.value
        let (key, height) = (try SingleKey("paid in block \(number)"), try await node.height())
        let before = try await NodeScan.now([key.script], by: node)
        let left = Mutex(number)
        let (coins, scanCount) = try await NodeScan.coins(of: [key.script], from: node, after: [before]) { call in
            guard call.method == "getrawmempool" else { return .truth }
            let place = left.withLock { left in
                left -= 1
                return left
            }
            try WaitingThread.run {
                if place == 0 { try await node.fund(key.script, amount) }
                if place >= 0 { try await node.mine() }
            }
            return .truth
        }
        #expect(coins.map { $0.map(\.height) } == [[height + number]])
        #expect(scanCount == 1)
    }

    @Test func blocksThatKeepArrivingAreNotWaitedFor() async throws {
        let node = try await Self.node.value
        let failure = try await NodeScan.failure(of: [own.script], from: node, after: []) { call in
            if call.method == "getrawmempool" { try WaitingThread.run { _ = try await node.mine() } }
            return .truth
        }
        #expect(failure?.error.code == .chainNotReady)
        #expect(failure?.scanCount == 2)
    }

    /// The node has taken a waiting transaction into a block, and has it in its mempool still.
    @Test func aCoinIsToldOnce() async throws {
        let node = try await Self.node.value
        let key = try SingleKey("told once")
        let coin = try await node.fund(key.script, amount)
        try await node.mine()
        let height = try await node.height()
        let (coins, scanCount) = try await NodeScan.coins(of: [key.script], from: node, after: []) { call in
            call.method == "getrawmempool" ? .result("[\"\(coin.transactionID)\"]") : .truth
        }
        #expect(coins.map { $0.map(\.outpoint) } == [[coin]] && coins.map { $0.map(\.height) } == [[height]])
        #expect(scanCount == 1)
    }

    /// A block may pay a coin, and spend it in its next transaction.
    @Test func aCoinThatItsOwnBlockSpendsIsLeftOut() async throws {
        let node = try await Self.node.value
        let (payer, between) = (try SingleKey("pays in a block"), try SingleKey("spends in the same"))
        let amount = try #require(Amount(satoshis: 50_000))
        let coin = SingleKey.Coin(try await node.fund(payer.script, amount), amount)
        try await node.mine()
        let scripts = [payer.script, between.script]
        let before = try await NodeScan.now(scripts, by: node)
        let payment = try payer.spend([coin], to: [TransactionOutput(value: 40_000, scriptPubKey: between.script)])
        let paid = SingleKey.Coin(
            Outpoint(transactionID: payment.id, index: 0), try #require(Amount(satoshis: 40_000)))
        let next = try between.spend([paid], to: [TransactionOutput(value: 30_000, scriptPubKey: payer.script)])
        for transaction in [payment, next] { try await node.send(transaction) }
        try await node.mine()
        let (coins, scanCount) = try await NodeScan.coins(of: scripts, from: node, after: [before])
        #expect(coins.map { $0.map(\.outpoint) } == [[Outpoint(transactionID: next.id, index: 0)], []])
        #expect(scanCount == 1)
    }

    // MARK: What is not believed

    /// A scan, and two blocks that came after it, the first with a payment.
    private struct Growth {
        let node: BitcoinNode
        let scripts: [Script]
        let scan: String
        /// The blocks' hashes.
        let hashes: [String]
        /// The blocks in hexadecimal.
        let blocks: [String]

        init(_ node: BitcoinNode, paying script: Script, _ amount: Amount) async throws {
            (self.node, scripts) = (node, [script])
            scan = try await NodeScan.now(scripts, by: node)
            try await node.fund(script, amount)
            hashes = try await node.mine(2)
            var blocks: [String] = []
            for hash in hashes { blocks.append(try await node.call("getblock", hash, 0, as: String.self)) }
            self.blocks = blocks
        }

        /// Why the node's coins are refused when it sends these in place of true headers, or of the first block.
        func refusal(header: String? = nil, block: String? = nil) async throws -> String? {
            try await NodeScan.failure(of: scripts, from: node, after: [scan]) { call in
                switch call.method {
                case "getblockheader": header.map { .result($0) } ?? .truth
                case "getblock" where call.parameters.contains(hashes[0]): block.map { .result($0) } ?? .truth
                default: .truth
                }
            }?.error.code.rawValue
        }

        /// The first block, whose payment has another amount.
        func firstBlock(paying satoshis: Int64) throws -> String {
            let bytes = try Hex.decode(blocks[0])
            let hash = try #require(BlockHash(parsing: hashes[0]))
            let transactions = try CoreBlock(answer: bytes, for: hash).transactions
            var altered = Array(bytes.prefix(BlockHeader.length))
            altered.appendCompactSize(transactions.count)
            for transaction in transactions {
                let outputs = transaction.outputs.map { output in
                    scripts.contains(output.scriptPubKey)
                        ? TransactionOutput(value: satoshis, scriptPubKey: output.scriptPubKey) : output
                }
                altered += Transaction(inputs: transaction.inputs, outputs: outputs).serialized()
            }
            return "\"\(Hex.encode(altered))\""
        }
    }

    private func growth() async throws -> Growth { try await Growth(Self.node.value, paying: own.script, amount) }

    @Test func anotherBlockIsNotBelieved() async throws {
        let growth = try await growth()
        #expect(try await growth.refusal() == nil)
        #expect(try await growth.refusal(block: "\"\(growth.blocks[1])\"") == "chain_lie")
        let header = #"{"confirmations":2,"height":200,"nextblockhash":"\#(growth.hashes[1])"}"#
        #expect(try await growth.refusal(header: header) == "chain_lie")
        // Without its end, its transactions or the end of its header, and with a byte too many.
        let bytes = try Hex.decode(growth.blocks[0])
        for part in [bytes.dropLast(), bytes.prefix(80), bytes.prefix(79), bytes.prefix(0), (bytes + [0])[...]] {
            #expect(
                try await growth.refusal(block: "\"\(Hex.encode(part))\"") == "chain_malformed", "\(part.count)")
        }
        for json in ["null", "5", "{}", "\"x\""] {
            #expect(try await growth.refusal(block: json) == "chain_malformed", "\(json)")
        }
    }

    @Test func anImpossiblePaymentIsNotBelieved() async throws {
        let growth = try await growth()
        #expect(try await growth.refusal(block: growth.firstBlock(paying: 6_000)) == nil)
        for satoshis in [-1, 2_100_000_000_000_001] as [Int64] {
            #expect(
                try await growth.refusal(block: growth.firstBlock(paying: satoshis)) == "chain_malformed", "\(satoshis)"
            )
        }
    }

    @Test func aHeaderIsReadStrictly() async throws {
        let growth = try await growth()
        for header in [
            "{}", "[]", #"{"confirmations":"1","height":200}"#, #"{"confirmations":1.5,"height":200}"#,
            #"{"confirmations":2,"height":200}"#, #"{"confirmations":2,"height":200,"nextblockhash":"b5"}"#,
            #"{"confirmations":2,"height":-1,"nextblockhash":"\#(growth.hashes[0])"}"#,
            #"{"confirmations":2,"nextblockhash":"\#(growth.hashes[0])"}"#,
        ] {
            #expect(try await growth.refusal(header: header) == "chain_malformed", "\(header)")
        }
    }

    // MARK: A mempool that is too large

    /// Whether unconfirmed coins would have been seen.
    @Test(arguments: [0, CoreKnowledge.mostUnconfirmed + 1])
    func aMempoolThatIsNotLookedAtIsSaidToBe(_ size: Int) async throws {
        let ids = "[\((0..<size).map { "\"\(Sample("\($0)").id)\"" }.joined(separator: ","))]"
        let server = try NodeProxy(to: try await Self.node.value) { call in
            call.method == "getrawmempool" ? .result(ids) : .truth
        }
        defer { withExtendedLifetime(server) {} }
        var settings = ChainSettings.forTests(retries: 0)
        settings.longestAnswer = 1_000_000
        let source = try server.source(settings)
        #expect(source.features.isEmpty)
        #expect(try await source.unspent(of: [SingleKey("not looked at").script]) == [[]])
        #expect(source.features == (size == 0 ? [.unconfirmed] : []))
        await source.close()
    }
}
