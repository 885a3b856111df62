import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// What every chain backend must do, over one and the same real node.
@Suite(.serialized) struct ConformanceTests {
    typealias Backend = Bench.Backend

    @Test(arguments: Backend.allCases) func tellsTheTip(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        try await bench.chain.mine(2)
        try await bench.settle()
        let tip = try await source.tip()
        #expect(tip.height == (try await bench.chain.height()))
        #expect(tip.blockHash?.description == (try await bench.chain.bestBlockHash()))
        #expect(tip.time.map { $0 > 1_700_000_000 } == true)
        await source.close()
        #expect(try await source.tip() == tip)
        await source.close()
    }

    @Test(arguments: Backend.allCases) func tellsCoinsInTheOrderOfTheScripts(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let (first, empty, second) = (Bench.newScript(), Bench.newScript(), Bench.newScript())
        let large = try await bench.chain.fund(first, try Bench.amount(150_000))
        try await bench.chain.mine()
        let small = try await bench.chain.fund(second, try Bench.amount(294))
        try await bench.settle()
        let height = try await bench.chain.height()

        let coins = try await source.coins(of: [second, empty, first, second])
        #expect(coins.map { $0.map(\.outpoint) } == [[small], [], [large], [small]])
        #expect(coins.map { $0.map(\.amount.satoshis) } == [[294], [], [150_000], [294]])
        #expect(coins.map { $0.map(\.height) } == [[nil], [], [height], [nil]])
        #expect(coins.joined().allSatisfy { $0.transaction.id == $0.outpoint.transactionID && !$0.isCoinbase })
        #expect(coins[2].first?.output.scriptPubKey == first)
        #expect(try await source.unspent(of: []).isEmpty)
        await source.close()
    }

    @Test(arguments: Backend.allCases) func tellsHistories(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let (script, other) = (Bench.newScript(), Bench.newScript())
        let funding = try await bench.chain.fund(script, try Bench.amount(80_000))
        try await bench.chain.mine()
        let height = try await bench.chain.height()
        let later = try await bench.chain.fund(script, try Bench.amount(70_000))
        try await bench.settle()
        guard source.features.contains(.histories) else {
            await #expect(throws: ChainError.self) { try await source.histories(of: [script]) }
            return
        }
        let histories = try await source.histories(of: [other, script])
        #expect(
            histories == [
                [],
                [
                    HistoryEntry(transactionID: funding.transactionID, height: height),
                    HistoryEntry(transactionID: later.transactionID, height: nil),
                ],
            ])
        await source.close()
    }

    @Test(arguments: Backend.allCases) func sendsTransactions(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let (key, target) = (try Bench.newKey(), Bench.newScript())
        let script = key.script
        let funding = try await bench.chain.fund(script, try Bench.amount(100_000))
        let coin = SingleKey.Coin(funding, try Bench.amount(100_000))
        try await bench.chain.mine()
        try await bench.settle()
        // Both scripts are known to a wallet then, so that the payment is one within it.
        #expect(try await source.unspent(of: [script, target]).map(\.count) == [1, 0])

        let spend = try key.spend([coin], to: [TransactionOutput(value: 90_000, scriptPubKey: target)])
        #expect(try await source.broadcast(spend) == spend.id)
        // It is there already, which is what is wanted.
        #expect(try await source.broadcast(spend) == spend.id)
        try await bench.settle()
        #expect(try await source.coins(of: [script, target]).map { $0.map(\.amount.satoshis) } == [[], [90_000]])
        if source.features.contains(.histories) {
            let histories = try await source.histories(of: [script, target])
            #expect(histories[0].map(\.transactionID) == [funding.transactionID, spend.id])
            #expect(histories[1].map(\.transactionID) == [spend.id])
        }

        // A double spend that pays less: one that pays more would replace, whatever the sequence says.
        let conflict = try key.spend([coin], to: [TransactionOutput(value: 95_000, scriptPubKey: script)])
        let error = await #expect(throws: ChainError.self) { try await source.broadcast(conflict) }
        #expect(error?.code == .transactionRejected && error?.message.contains("insufficient fee") == true)

        try await bench.chain.mine()
        try await bench.settle()
        #expect(try await source.broadcast(spend) == spend.id)
        #expect(try await source.coins(of: [target]).first?.first?.height == (try await bench.chain.height()))
        await source.close()
    }

    @Test(arguments: Backend.allCases) func passesOnWhyATransactionIsRejected(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let key = try Bench.newKey()
        let amount = try Bench.amount(100_000)
        let coin = SingleKey.Coin(try await bench.chain.fund(key.script, amount), amount)
        try await bench.chain.mine()
        try await bench.settle()
        func paying(_ satoshis: Int64) throws -> Transaction {
            try key.spend([coin], to: [TransactionOutput(value: satoshis, scriptPubKey: key.script)])
        }
        // Signed by somebody else, and by nobody.
        let forged = try Bench.newKey().spend([coin], to: [TransactionOutput(value: 90_000, scriptPubKey: key.script)])
        var unsigned = forged
        unsigned.inputs[0].witness = []
        var altered = try paying(90_000)
        altered.outputs[0] = TransactionOutput(value: 89_999, scriptPubKey: key.script)
        var missing = try paying(90_000)
        missing.inputs[0].outpoint = Outpoint(transactionID: forged.id, index: 0)
        for (transaction, reason) in [
            (try paying(100_001), "bad-txns-in-belowout"), (try paying(99_999), "min relay fee not met"),
            (try paying(293), "dust"), (forged, "script-verify-flag-failed"), (unsigned, "script-verify-flag-failed"),
            (altered, "script-verify-flag-failed"), (missing, "missing"),
        ] {
            let error = await #expect(throws: ChainError.self) { try await source.broadcast(transaction) }
            #expect(error?.code == .transactionRejected)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
        await source.close()
    }

    @Test(arguments: Backend.allCases) func tellsFeeRates(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        for target in [2, 6, 144] {
            let estimate = try #require(try await bench.chain.feeRate(targetBlocks: target))
            #expect(try await source.feeRate(targetBlocks: target) == estimate)
        }
        // Esplora does not tell it; what every node took until 2025 is taken by all.
        #expect(try await source.minimumFeeRate() == (try Bench.rate(backend == .esplora ? 1_000 : 100)))
        await source.close()
    }

    @Test(arguments: Backend.allCases) func fetchesTransactions(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let confirmed = try await bench.chain.fund(Bench.newScript(), try Bench.amount(1_000)).transactionID
        try await bench.chain.mine()
        let waiting = try await bench.chain.fund(Bench.newScript(), try Bench.amount(1_000)).transactionID
        try await bench.settle()
        let found = try await source.transactions([confirmed, waiting, confirmed])
        #expect(Set(found.keys) == [confirmed, waiting])
        #expect(found.allSatisfy { $0.key == $0.value.id })

        let unknown = try #require(TransactionID(SHA256.hash("unknown".utf8)))
        await #expect(throws: ChainError.self) { try await source.transactions([unknown]) }
        await source.close()
    }

    /// Of the blocks that histories named; a node without a wallet tells of any that it has.
    @Test(arguments: Backend.allCases) func tellsWhenBlocksWereMade(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let script = Bench.newScript()
        _ = try await bench.chain.fund(script, try Bench.amount(80_000))
        try await bench.chain.mine()
        try await bench.settle()
        let height = try await bench.chain.height()
        let hash = try await bench.chain.bestBlockHash()
        let block = try await bench.chain.call("getblockheader", hash, as: [String: Any].self)
        let made = try #require(block["time"] as? Int)
        if source.features.contains(.histories) { _ = try await source.histories(of: [script]) }
        #expect(try await source.blockTimes(of: [height]) == [height: UInt32(made)])
        #expect(try await source.blockTimes(of: []).isEmpty)
        if backend == .core {
            #expect(try await source.blockTimes(of: [height, height + 10_000]) == [height: UInt32(made)])
        }
        await source.close()
    }

    /// In a block, in the mempool, or in neither: what a server does not have is not said to wait. A node knows a
    /// transaction by its unspent outputs alone.
    @Test(arguments: Backend.allCases) func tellsWhereTransactionsAre(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let isNode = backend == .core || backend == .coreWallet
        let (key, next) = (try Bench.newKey(), try Bench.newKey())
        let amount = try Bench.amount(50_000)
        let coin = SingleKey.Coin(try await bench.chain.fund(key.script, amount), amount)
        try await bench.chain.mine()
        let height = try await bench.chain.height()
        let funding = try await bench.chain.transaction(coin.outpoint.transactionID)
        let spend = try key.spend([coin], to: [TransactionOutput(value: 40_000, scriptPubKey: next.script)])
        let never = try key.spend([coin], to: [TransactionOutput(value: 30_000, scriptPubKey: next.script)])
        try await bench.chain.send(spend)
        try await bench.settle()
        let sought = [funding, spend, never].map { SoughtTransaction($0, script: key.script) }
        #expect(
            try await source.heights(of: sought)
                == [funding.id: .block(height), spend.id: .waiting, never.id: .absent])
        #expect(try await source.heights(of: []).isEmpty)

        try await bench.chain.mine()
        try await bench.settle()
        let mined = try await bench.chain.height()
        #expect(try await source.heights(of: [sought[1]]) == [spend.id: .block(mined)])
        let left = SingleKey.Coin(Outpoint(transactionID: spend.id, index: 0), try Bench.amount(40_000))
        try await bench.chain.send(
            try next.spend([left], to: [TransactionOutput(value: 39_000, scriptPubKey: Bench.newScript())]))
        try await bench.settle()
        // The coin is still in the chain's set.
        #expect(try await source.heights(of: [sought[1]]) == [spend.id: .block(mined)])
        try await bench.chain.mine()
        try await bench.settle()
        #expect(try await source.heights(of: [sought[1]]) == (isNode ? [:] : [spend.id: .block(mined)]))
        if backend == .coreWallet {
            // Once the node's wallet knows the script, it lists what is spent as well.
            _ = try await source.histories(of: [key.script])
            #expect(try await source.heights(of: [sought[1]]) == [spend.id: .block(mined)])
        }
        await source.close()
    }

    @Test(arguments: Backend.allCases) func refusesAnotherNetwork(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend, network: .main)
        await #expect(throws: ChainError.wrongNetwork(found: ServerText("regtest"), wanted: .main)) {
            try await source.unspent(of: [Bench.newScript()])
        }
        await #expect(throws: ChainError.wrongNetwork(found: ServerText("regtest"), wanted: .main)) {
            try await source.tip()
        }
        await source.close()
    }

    @Test(arguments: Backend.allCases) func noticesChanges(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let (script, other) = (Bench.newScript(), Bench.newScript())
        try await bench.settle()
        #expect(try await source.waitForChange(of: [script, other], timeout: .zero) == false)
        #expect(try await source.waitForChange(of: [script, other], timeout: .milliseconds(300)) == false)

        _ = try await bench.chain.fund(script, try Bench.amount(30_000))
        #expect(try await source.waitForChange(of: [script, other], timeout: .seconds(30)))
        try await bench.settle()
        _ = try await source.waitForChange(of: [script, other], timeout: .zero)
        #expect(try await source.waitForChange(of: [script, other], timeout: .zero) == false)

        try await bench.chain.mine()
        #expect(try await source.waitForChange(of: [script, other], timeout: .seconds(30)))
        await source.close()
    }

    @Test(arguments: Backend.allCases) func endsAWaitAtOnce(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let script = Bench.newScript()
        try await bench.settle()
        _ = try await source.waitForChange(of: [script], timeout: .zero)
        let wait = Task { try await source.waitForChange(of: [script], timeout: .seconds(3600)) }
        // So that it waits; one that does not yet ends all the same.
        try await Task.sleep(for: .milliseconds(100))
        wait.cancel()
        await #expect(throws: ChainError.cancelled) { try await wait.value }
        await source.close()
    }

    @Test(arguments: Backend.allCases) func followsAReorganization(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let script = Bench.newScript()
        let coin = try await bench.chain.fund(script, try Bench.amount(60_000))
        try await bench.chain.mine()
        try await bench.settle()
        #expect(try await source.coins(of: [script]).joined().map(\.height) == [try await bench.chain.height()])
        try await bench.chain.reorganize(depth: 1)
        try await bench.settle()
        let coins = try await source.coins(of: [script])
        #expect(coins.joined().map(\.outpoint) == [coin])
        #expect(coins.joined().map(\.height) == [nil])
        #expect(try await source.tip().blockHash?.description == (try await bench.chain.bestBlockHash()))
        try await bench.chain.mine()
        await source.close()
    }

    @Test(arguments: Backend.allCases) func namesItselfWithoutAPassword(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        #expect(source.name == bench.server(backend).prefix { $0 != "?" })
    }
}
