import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What changes in a manager's store is told once, behind the write, in the order of the writes, to everybody who watches.
@Suite struct StoreEventTests {
    private let bench: WalletBench
    private let manager = CardManager(store: MemoryStore()) { UnixTime(seconds: 5) }

    init() throws { bench = try WalletBench() }

    private static func collect(_ stream: ManagerEvents) async -> [ManagerEvent] {
        await stream.reduce(into: []) { $0.append($1) }
    }

    /// What a change tells.
    private func events(_ change: () throws -> Void) async rethrows -> [ManagerEvent] {
        let stream = manager.events()
        try change()
        stream.end()
        return await Self.collect(stream)
    }

    private func transaction(_ salt: UInt32, sent: UnixTime? = nil) throws -> StoredTransaction {
        let coin = Outpoint(
            transactionID: try SampleWallet.funding(bench.script(0, 0), amount: 10_000, salt: salt).id, index: 1)
        let psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: coin)], outputs: [WalletBench.output(9_000)]))
        return StoredTransaction(
            psbt: psbt, created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1), sent: sent)
    }

    @Test func transactionsAreTold() async throws {
        let store = manager.store
        let (first, second, third) = (
            try transaction(1), try transaction(2), try transaction(3, sent: UnixTime(seconds: 1))
        )
        #expect(try await events { try store.create(first, replacing: nil) } == [.transaction(first.id, .stored)])
        #expect(
            try await events { _ = try store.merge(second.psbt, at: UnixTime(seconds: 2)) }
                == [.transaction(second.id, .stored)])
        #expect(
            try await events { _ = try store.merge(second.psbt, note: "n", at: UnixTime(seconds: 3)) }
                == [.transaction(second.id, .changed)])
        let sending: (StoredTransaction?) throws(StoreError) -> StoredTransaction = { stored throws(StoreError) in
            guard var stored else { throw .noSuchTransaction(second.id) }
            stored.sent = stored.sent ?? UnixTime(seconds: 4)
            return stored
        }
        #expect(
            try await events { _ = try store.updateTransaction(second.id, sending) }
                == [.transaction(second.id, .sent)])
        // It is sent once.
        #expect(
            try await events { _ = try store.updateTransaction(second.id, sending) }
                == [.transaction(second.id, .changed)])
        #expect(try await events { try store.create(third, replacing: nil) } == [.transaction(third.id, .restored)])
        #expect(
            try await events { _ = try store.deleteTransaction(third.id) } == [.transaction(third.id, .deleted)])
        #expect(try await events { _ = try store.deleteTransaction(third.id) }.isEmpty)
    }

    @Test func aReplacementTellsOfBoth() async throws {
        let old = try transaction(1)
        try manager.store.create(old, replacing: nil)
        var new = try transaction(1)
        new.psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: old.psbt.unsignedTransaction.inputs, outputs: [WalletBench.output(8_000)]))
        #expect(
            try await events { try manager.store.create(new, replacing: old.id) }
                == [.transaction(new.id, .stored), .transaction(old.id, .replaced(by: new.id))])
    }

    /// What could not be written is not told.
    @Test func failuresAreNotTold() async throws {
        let one = try transaction(1)
        try manager.store.create(one, replacing: nil)
        let told = await events {
            #expect(throws: StoreError.self) { try manager.store.create(one, replacing: nil) }
            #expect(throws: StoreError.self) {
                _ = try manager.store.updateTransaction(one.id) { _ throws(StoreError) in throw .busy(path: "") }
            }
        }
        #expect(told.isEmpty)
    }

    @Test func walletsLabelsAndCardsAreTold() async throws {
        let store = manager.store
        let wallet = StoredWallet(name: "w", network: .regtest, descriptors: [], created: UnixTime(seconds: 1))
        let chain = WalletChain(
            network: .regtest, server: "s", height: 7, time: UnixTime(seconds: 2), hasHistory: true,
            areSpendsProven: true, scripts: [], transactions: [], coins: [])
        let label = StoredLabel(type: "tx", reference: "00", label: "rent")
        var generator = SeededGenerator()
        let card = try FlowBench(using: &generator)
        let record = CardRecord(
            publicKey: try card.record.cardKey, product: .tapsigner, isTestnet: true, fingerprint: nil,
            lastSeen: UnixTime(seconds: 1))
        let derive = try FlowState.derive(
            DeriveState(from: DerivationPath(parsing: "m"), to: DerivationPath(parsing: "m/1h")))
        let told = try await events {
            try store.add(wallet)
            try store.save(chain, of: wallet, at: UnixTime(seconds: 9))
            try store.save(wallet)
            try store.save([label, label])
            _ = try store.deleteWallet(named: "w")
            _ = try store.deleteWallet(named: "w")
            try store.save(record)
            try store.record(derive, of: card.ident, at: UnixTime(seconds: 3))
            try store.finish(.derive, of: card.ident)
            _ = try store.forgetCard(card.ident)
            _ = try store.forgetCard(card.ident)
        }
        #expect(
            told == [
                .wallet("w", .added), .wallet("w", .synchronized(WalletSynchronization(chain))),
                .wallet("w", .changed), .labels(2), .wallet("w", .removed), .card(.remembered(record)),
                .journal(card.ident, .recorded(.derive)), .journal(card.ident, .finished(.derive)),
                .card(.forgotten(card.ident)),
            ])
    }

    /// To two who watch, one of whom stops before the other.
    @Test func everybodyIsToldUntilHeStops() async throws {
        let (short, long) = (manager.events(), manager.events())
        let ids = try (UInt32(1)...3).map { salt in
            let transaction = try transaction(salt)
            try manager.store.create(transaction, replacing: nil)
            if salt == 2 { short.end() }
            return transaction.id
        }
        long.end()
        #expect(await Self.collect(short) == ids.prefix(2).map { ManagerEvent.transaction($0, .stored) })
        #expect(await Self.collect(long) == ids.map { ManagerEvent.transaction($0, .stored) })
        #expect(!short.isCutOff && !long.isCutOff)
    }

    /// Whoever never reads is cut off, and told so; others lose nothing by him.
    @Test func whoDoesNotReadIsCutOff() async throws {
        let sleeper = manager.events()
        for number in 0..<ManagerEvents.mostUnread { manager.hub.publish(.labels(number)) }
        #expect(!sleeper.isCutOff)
        let late = manager.events()
        manager.hub.publish(.labels(-1))
        #expect(sleeper.isCutOff && !late.isCutOff)
        manager.hub.publish(.labels(-2))
        late.end()
        // What was kept is there, and the stream ends.
        #expect(await Self.collect(sleeper) == (0..<ManagerEvents.mostUnread).map { .labels($0) })
        #expect(await Self.collect(late) == [.labels(-1), .labels(-2)])
    }
}
