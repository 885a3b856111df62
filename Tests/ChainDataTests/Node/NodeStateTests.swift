import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// What a real node says while it is not all there: while it starts, still reads blocks, or has deleted some.
@Suite struct NodeStateTests {
    private static func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    private static func source(
        _ node: BitcoinNode, wallet: String? = nil, cookie: String? = nil, retries: Int = 0
    ) throws -> any ChainSource {
        let server = cookie.map { "core:\(node.url)?cookie=\($0)" } ?? node.coreServer(wallet: wallet)
        return try ChainServer(parsing: server).open(network: .regtest, settings: .forTests(retries: retries))
    }

    private static func failure(_ ask: () async throws -> Void) async throws -> ChainError? {
        do {
            try await ask()
            return nil
        } catch let error as ChainError { return error }
    }

    @Test func anotherNodesCookieIsRefused() async throws {
        let node = try await BitcoinNode.shared()
        let files = try TemporaryFolder()
        for text in ["__cookie__:\(String(repeating: "0", count: 64))", "nobody:\(try node.cookie().dropFirst(11))"] {
            let source = try Self.source(node, cookie: try files.write(text, to: "cookie"))
            let failure = try await Self.failure { _ = try await source.tip() }
            #expect(failure == .unauthorized(detail: ""))
        }
    }

    /// A node that starts first does not answer, then says that it is not ready, and then tells the truth.
    @Test func aNodeThatStartsIsNoLiar() async throws {
        var node = try await BitcoinNode.start()
        try await node.mine(100)
        let height = try await node.height()
        var seen: Set<String> = []
        // How long each lasts is the machine's affair; one start may be too quick to be seen.
        for _ in 0..<20 where !seen.contains("chain_not_ready") {
            try await node.stop()
            node = try await node.restarted(["-reindex"], isAwaited: false)
            let source = try Self.source(node)
            while true {
                var tip: ChainTip?
                if let failure = try await Self.failure({ tip = try await source.tip() }) {
                    seen.insert(failure.code.rawValue)
                    guard node.isRunning else { throw NodeError(code: 0, message: "It ended: \(node.log)") }
                } else if tip?.height == height {
                    break
                }
                // A lower one is believed on a network of one's own alone: a chain that rests there looks the same.
            }
        }
        // No cookie yet; nobody listens; it starts.
        #expect(seen.isSubset(of: ["chain_unauthorized", "chain_unreachable", "chain_not_ready"]), "\(seen)")
        #expect(seen.contains("chain_not_ready"), "\(seen)")
        try await node.stop()
    }

    /// A node whose only thread is taken, and has no room for a further request, refuses it; it is asked again.
    @Test func aNodeThatHasNoTimeIsAskedAgain() async throws {
        let node = try await BitcoinNode.start(["-rpcthreads=1", "-rpcworkqueue=1"])
        let height = try await node.height()
        var refusals = 0
        // Which of those that come at the same time is refused is chance.
        for _ in 0..<20 where refusals == 0 {
            let waiting = (0..<3).map { _ in
                Task { _ = try? await node.call("waitforblockheight", height + 1, 1_000) }
            }
            if let failure = try await Self.failure({ _ = try await Self.source(node).tip() }) {
                #expect(failure == .notReady(ServerText("Work queue depth exceeded")))
                refusals += 1
            }
            var patient = ChainSettings.forTests(retries: 1)
            patient.sleep = { _ in for task in waiting { await task.value } }
            let again = try ChainServer(parsing: node.coreServer()).open(network: .regtest, settings: patient)
            #expect(try await again.tip().height == height)
            for task in waiting { await task.value }
        }
        #expect(refusals > 0)
        try await node.stop()
    }

    /// A node that knows of more blocks than it has tells nothing of coins.
    @Test func aNodeThatStillReadsBlocksTellsNothing() async throws {
        // Its blocks are old, as they are for a node that has far to go.
        let whole = try await BitcoinNode.start(["-mocktime=1700000000"])
        let key = try SingleKey("still reads")
        let coin = try await whole.fund(key.script, try Self.amount(70_000))
        try await whole.mine()
        let height = try await whole.height()
        let node = try await BitcoinNode.startAlone(on: .regtest, ["-maxtipage=86400"])
        var blocks: [String] = []
        for number in 1...height {
            let hash = try await whole.call("getblockhash", number, as: String.self)
            blocks.append(try await whole.call("getblock", hash, 0, as: String.self))
        }
        // On a network of one's own that is no lack.
        #expect(try await Self.source(node).tip().height == 0)
        for block in blocks { try await node.call("submitheader", String(block.prefix(160))) }
        for count in [0, 60, height - 1] {
            for block in blocks.prefix(count) { try await node.call("submitblock", block) }
            let source = try Self.source(node)
            let failure = try await Self.failure { _ = try await source.coins(of: [key.script]) }
            #expect(failure == .notReady(ServerText("the node has synced \(count) of \(height) blocks so far")))
        }
        for block in blocks { try await node.call("submitblock", block) }
        let coins = try await Self.source(node).coins(of: [key.script])
        #expect(coins.joined().map(\.outpoint) == [coin])
        try await node.stop()
        try await whole.stop()
    }

    /// A wallet whose node has deleted the blocks that it wants to look through never counts as having done so.
    @Test func aPrunedNodesWalletIsNotBelievedTheSecondTime() async throws {
        // Its first blocks are of November 2023, the last ones of 9 March 2024.
        let node = try await BitcoinNode.start(["-txindex=0", "-prune=1", "-fastprune", "-mocktime=1700000000"])
        let (old, young) = (try SingleKey("before"), try SingleKey("after"))
        let lost = try await node.fund(old.script, try Self.amount(80_000))
        try await node.mine(600)
        try await node.call("setmocktime", 1_710_000_000)
        try await node.mine(12)
        let kept = try await node.fund(young.script, try Self.amount(90_000))
        try await node.mine()
        // The last 288 stay in any case.
        let pruned = try await node.call("pruneblockchain", node.height() - 288, as: Int.self)
        #expect(pruned > 110)

        // All coins are there, their transactions only of blocks that are.
        let plain = try Self.source(node)
        #expect(try await plain.unspent(of: [old.script, young.script]).joined().map(\.outpoint) == [lost, kept])
        #expect(try await plain.coins(of: [young.script]).joined().map(\.outpoint) == [kept])
        let gone = try await Self.failure { _ = try await plain.coins(of: [old.script]) }
        #expect(gone?.code == .chainUnsupported && gone?.message.contains("deleted") == true)

        try await node.makeWallet("watch")
        for _ in 0..<2 {
            let wallet = try Self.source(node, wallet: "watch")
            let failure = try await Self.failure { _ = try await wallet.unspent(of: [old.script, young.script]) }
            #expect(failure?.code == .chainUnsupported, "\(String(describing: failure))")
            #expect(failure?.message.contains("?since=") == true && failure?.message.contains("Rescan failed") == true)
        }
        // Whoever knows when the first payment came says so.
        for day in ["2023-01-01", "2024-03-09"] {
            try await node.makeWallet(day)
            let server = "core:\(node.url)/wallet/\(day)?cookie=\(node.cookieFile)&since=\(day)"
            for _ in 0..<2 {
                let wallet = try ChainServer(parsing: server).open(network: .regtest, settings: .forTests(retries: 0))
                var found: [Outpoint] = []
                let failure = try await Self.failure {
                    found = try await wallet.coins(of: [young.script]).joined().map(\.outpoint)
                }
                let isLate = day == "2024-03-09"
                #expect((failure == nil) == isLate, "\(day): \(String(describing: failure))")
                #expect(found == (isLate ? [kept] : []))
            }
        }
        try await node.stop()
    }

    /// A wallet that once looked through fewer blocks looks through the earlier ones when it is asked for those, and only then.
    @Test func anEarlierDayHasTheWalletLookAgain() async throws {
        let node = try await BitcoinNode.start(["-mocktime=1710000000"])
        let key = try SingleKey("early")
        // On 9 March; the last blocks are of the 20th.
        let coin = try await node.fund(key.script, try Self.amount(80_000))
        try await node.mine()
        try await node.call("setmocktime", 1_710_950_400)
        try await node.mine(12)
        try await node.makeWallet("watch")
        let days = [
            ("&since=2024-03-15", []), ("&since=2024-03-15", []), ("&since=2024-03-01", [coin]), ("", [coin]),
            ("&since=2024-03-15", [coin]),
        ]
        for (since, expected) in days {
            let server = "core:\(node.url)/wallet/watch?cookie=\(node.cookieFile)\(since)"
            let wallet = try ChainServer(parsing: server).open(network: .regtest, settings: .forTests(retries: 0))
            #expect(try await wallet.coins(of: [key.script]).joined().map(\.outpoint) == expected, "\(since)")
        }
        try await node.stop()
    }

    /// While a wallet looks through the blocks, for whomever, scripts that are new to it are not believed to be there.
    @Test func aWalletThatLooksThroughTheBlocksIsNotReady() async throws {
        let node = try await BitcoinNode.start()
        let keys = try (0..<200).map { try SingleKey("rescan \($0)") }
        var coins: [Outpoint] = []
        for key in keys { coins.append(try await node.fund(key.script, try Self.amount(10_000))) }
        try await node.mine(50)
        try await node.makeWallet("watch")
        let scans = Task {
            var count = 0
            while !Task.isCancelled {
                _ = try? await node.call("rescanblockchain", wallet: "watch")
                count += 1
            }
            return count
        }
        defer { scans.cancel() }
        var refused = 0
        for (key, coin) in zip(keys, coins) {
            let source = try Self.source(node, wallet: "watch")
            var found: [[UnspentClaim]] = []
            if let failure = try await Self.failure({ found = try await source.unspent(of: [key.script]) }) {
                #expect(
                    failure == .notReady(ServerText("Wallet is currently rescanning. Abort existing rescan or wait.")))
                refused += 1
            } else {
                #expect(found.joined().map(\.outpoint) == [coin])
            }
            await source.close()
        }
        #expect(refused > 0)
        scans.cancel()
        _ = await scans.value
        try await node.stop()
    }
}
