import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// What every chain backend must do, over one and the same chain.
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
        let (script, target) = (Bench.newScript(), Bench.newScript())
        let funding = try await bench.chain.fund(script, try Bench.amount(100_000))
        try await bench.chain.mine()
        try await bench.settle()
        // Both scripts are known to a wallet then, so that the payment is one within it.
        #expect(try await source.unspent(of: [script, target]).map(\.count) == [1, 0])

        let spend = Transaction(
            inputs: [TransactionInput(outpoint: funding)],
            outputs: [TransactionOutput(amount: try Bench.amount(90_000), scriptPubKey: target)])
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

        let conflict = Transaction(
            inputs: [TransactionInput(outpoint: funding)],
            outputs: [TransactionOutput(amount: try Bench.amount(80_000), scriptPubKey: script)])
        let conflictError = await #expect(throws: ChainError.self) { try await source.broadcast(conflict) }
        #expect(conflictError?.code == "transaction_rejected")

        try await bench.chain.mine()
        try await bench.settle()
        #expect(try await source.broadcast(spend) == spend.id)
        #expect(try await source.coins(of: [target]).first?.first?.height == (try await bench.chain.height()))
        await source.close()
    }

    @Test(arguments: Backend.allCases) func passesOnWhyATransactionIsRejected(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let script = Bench.newScript()
        let funding = try await bench.chain.fund(script, try Bench.amount(100_000))
        try await bench.chain.mine()
        try await bench.settle()
        let excessive = Transaction(
            inputs: [TransactionInput(outpoint: funding)],
            outputs: [TransactionOutput(amount: try Bench.amount(100_001), scriptPubKey: script)])
        let error = await #expect(throws: ChainError.self) { try await source.broadcast(excessive) }
        #expect(error == .rejected(reason: ServerText("bad-txns-in-belowout")))
        await source.close()
    }

    @Test(arguments: Backend.allCases) func tellsFeeRates(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        #expect(try await source.feeRate(targetBlocks: 6) == (try Bench.rate(Bench.estimate)))
        #expect(try await source.minimumFeeRate() == (try Bench.rate(1_000)))
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
