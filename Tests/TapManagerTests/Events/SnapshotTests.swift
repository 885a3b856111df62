import Bitcoin
import ExplainedErrors
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// What there is, as values; and how it is joined with what happens.
@Suite struct SnapshotTests {
    private let bench: WalletBench

    init() throws { bench = try WalletBench() }

    private func transaction(_ salt: UInt32) throws -> StoredTransaction {
        let coin = Outpoint(
            transactionID: try SampleWallet.funding(bench.script(0, 0), amount: 10_000, salt: salt).id, index: 1)
        let psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_000)]))
        return StoredTransaction(psbt: psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
    }

    @Test func everythingThatIsKnownIsThere() async throws {
        var generator = SeededGenerator()
        let (one, other) = (try FlowBench(using: &generator), try FlowBench(using: &generator))
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([one.reader])], chain: ChainServers(bench.source),
            clock: { UnixTime(seconds: 5) })
        let empty = manager.snapshot()
        #expect(empty.readers.map(\.name) == [one.reader.name] && empty.readers.allSatisfy { $0.kind == .sim })
        #expect(empty.cards.isEmpty && empty.wallets.isEmpty && empty.transactions.isEmpty && empty.problems.isEmpty)

        let found = try await manager.card()
        await found.card.disconnect()
        try manager.remember(found.status)
        let derive = try FlowState.derive(
            DeriveState(from: DerivationPath(parsing: "m"), to: DerivationPath(parsing: "m/1h")))
        // Of a card that nobody remembers.
        try manager.store.record(derive, of: other.ident, at: UnixTime(seconds: 3))
        manager.driver(for: found).events(.backingUp)
        let text = try #require(bench.wallet.descriptors.first?.text)
        let added = try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest)
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1, height: 100)
        try bench.source.pay(bench.script(0, 1), 3_000, salt: 2, height: nil)
        _ = try await manager.synchronize(added.wallet)
        let stored = try transaction(9)
        try manager.store.create(stored, replacing: nil)

        let now = manager.snapshot()
        #expect(now.readers.map(\.card) == [SeenCard(found)])
        #expect(now.cards.map(\.ident) == [one.ident, other.ident])
        #expect(now.cards.first?.record?.lastSeen == 5 && now.cards.last?.record == nil)
        #expect(now.cards.first?.unfinished == [] && now.cards.first?.lastEvent == .backingUp)
        #expect(
            now.cards.last?.unfinished.map(\.work) == [
                .derive(from: try DerivationPath(parsing: "m"), to: try DerivationPath(parsing: "m/1h"))
            ])
        #expect(now.cards.last?.unfinished.map(\.since) == [3] && now.cards.last?.lastEvent == nil)
        #expect(now.wallets.map(\.stored) == [added.wallet.stored])
        let synchronization = try #require(now.wallets.first?.synchronization)
        #expect(synchronization.confirmed?.satoshis == 10_000 && synchronization.unconfirmed?.satoshis == 3_000)
        #expect(synchronization.server == "fake" && synchronization.height == 200 && synchronization.time == 5)
        #expect(now.transactions == [stored.summary] && now.problems.isEmpty)
    }

    /// What cannot be read is said to be missing; the rest is there.
    @Test func aStoreThatCannotBeReadIsAProblem() async throws {
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let manager = CardManager(
            store: card.mortal, readers: [SimulatedBackend([card.reader])], clock: { UnixTime(seconds: 5) })
        card.mortal.die()
        let now = manager.snapshot()
        #expect(now.readers.count == 1 && now.cards.isEmpty && now.wallets.isEmpty && now.transactions.isEmpty)
        #expect(now.problems.map(\.code) == [.storeFailed, .storeFailed, .storeFailed])
    }

    /// Something happens while the snapshot is taken: the stream, which began before, has it.
    @Test func whatHappensDuringTheSnapshotIsInTheStream() async throws {
        struct Backend: ReaderBackend {
            let look: @Sendable () -> Void

            func readers() -> [any CardReader] {
                look()
                return []
            }

            var noReader: any ExplainedError { ReaderError(.noReader, "There is no reader.") }
            func events() -> AsyncStream<ReaderEvent> { AsyncStream { $0.finish() } }
        }
        let (store, stored) = (MemoryStore(), try transaction(1))
        let writer = Writer()
        let manager = CardManager(
            store: store, readers: [Backend { writer.write() }], clock: { UnixTime(seconds: 5) })
        writer.write = { try? manager.store.create(stored, replacing: nil) }
        let (now, events) = manager.observe()
        events.end()
        #expect(now.transactions.map(\.id) == [stored.id])
        #expect(await events.reduce(into: []) { $0.append($1) } == [.transaction(stored.id, .stored)])
        writer.write = {}
    }

    /// What is written while the list of readers is read; for one thread.
    private final class Writer: @unchecked Sendable {
        var write: () -> Void = {}
    }

    /// Whenever somebody joins, each change is in his snapshot or in his stream.
    @Test func nothingIsMissedBetweenSnapshotAndStream() async throws {
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 5) })
        let all = try (0..<400).map { try transaction($0) }
        let writing = Task {
            for transaction in all {
                try manager.store.create(transaction, replacing: nil)
                await Task.yield()
            }
        }
        var joined: [(now: ManagerSnapshot, events: ManagerEvents)] = []
        while joined.count < 40 {
            joined.append(manager.observe())
            await Task.yield()
        }
        try await writing.value
        for (now, events) in joined {
            events.end()
            let told = await events.reduce(into: [TransactionID]()) { told, event in
                if case .transaction(let id, .stored) = event { told.append(id) }
            }
            #expect(Set(now.transactions.map(\.id)).union(told) == Set(all.map(\.id)))
            #expect(told == all.suffix(told.count).map(\.id))
        }
    }
}
