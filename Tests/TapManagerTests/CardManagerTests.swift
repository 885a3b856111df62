import Bitcoin
import FlowSupport
import Foundation
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The façade: what it tells of flows, and what it remembers.
@Suite struct CardManagerTests {
    private func manager(_ store: any Store = MemoryStore()) -> CardManager {
        CardManager(store: store) { UnixTime(seconds: 7) }
    }

    private func collect(_ stream: ManagerEvents) async -> [ManagerEvent] {
        await stream.reduce(into: []) { $0.append($1) }
    }

    /// What flows did, on one card or on any.
    private func flowEvents(_ events: [ManagerEvent], of card: CardIdent? = nil) -> [FlowEvent] {
        events.compactMap { event in
            guard case .flow(let ident, let event) = event, card == nil || ident == card else { return nil }
            return event
        }
    }

    /// A driver that no flow goes through.
    private func driver(_ manager: CardManager, _ bench: FlowBench) async throws -> CardDriver {
        let card = TapCard(reader: bench.reader)
        let status = try await card.perform { $0.status }
        await card.disconnect()
        return manager.driver(for: CardAtHand(card: card, status: status, reader: bench.reader))
    }

    @Test func everyWatcherGetsEveryEventInOrder() async throws {
        var generator = SeededGenerator()
        let (one, other) = (try FlowBench(using: &generator), try FlowBench(using: &generator))
        let manager = manager()
        let streams = (0..<3).map { _ in manager.events() }
        // Two cards at once.
        let gates = [try await driver(manager, one), try await driver(manager, other)]
        await withTaskGroup(of: Void.self) { group in
            for driver in gates {
                group.addTask { for number in 1...2_000 { driver.events(.signed(done: number, total: 2_000)) } }
            }
        }
        for stream in streams { stream.end() }
        var seen: [[ManagerEvent]] = []
        for stream in streams { seen.append(await collect(stream)) }
        for bench in [one, other] {
            #expect(
                flowEvents(seen[0], of: bench.ident) == (1...2_000).map { .signed(done: $0, total: 2_000) })
        }
        #expect(seen[0] == seen[1] && seen[1] == seen[2])
    }

    @Test func aLaterWatcherGetsLaterEventsAndOneThatIsGoneHoldsNobodyUp() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let manager = manager()
        let driver = try await driver(manager, bench)
        let first = manager.events()
        do { _ = manager.events() }
        driver.events(.provingCard)
        let second = manager.events()
        driver.events(.cardReturned)
        // The end of one is not the others'.
        first.end()
        driver.events(.changingCVC)
        second.end()
        #expect(flowEvents(await collect(first)) == [.provingCard, .cardReturned])
        #expect(flowEvents(await collect(second)) == [.cardReturned, .changingCVC])
        let third = manager.events()
        driver.events(.backingUp)
        third.end()
        #expect(flowEvents(await collect(third)) == [.backingUp])
    }

    @Test func streamsEndWithTheManager() async throws {
        var manager: CardManager? = manager()
        let stream = try #require(manager?.events())
        manager = nil
        #expect(await collect(stream).isEmpty)
    }

    @Test func theStateOfACardIsAValue() async throws {
        var generator = SeededGenerator()
        let (bench, other) = (try FlowBench(using: &generator), try FlowBench(using: &generator))
        let manager = manager()
        #expect(try manager.state(of: bench.ident) == CardState(unfinished: [], lastEvent: nil))
        let driver = try await driver(manager, bench)
        driver.events(.backingUp)
        driver.events(.changingCVC)
        let (derive, sign) = (
            try FlowState.derive(DeriveState(from: DerivationPath(parsing: "m"), to: DerivationPath(parsing: "m/1h"))),
            try FlowState.sign(
                SignState(
                    transaction: #require(TransactionID([UInt8](repeating: 0xAB, count: 32))),
                    ownPath: DerivationPath(parsing: "m/1h"), total: 3))
        )
        for state in [derive, sign] { try manager.store.record(state, of: bench.ident, at: 5) }
        let state = try manager.state(of: bench.ident)
        #expect(state.lastEvent == .changingCVC)
        #expect(state.unfinished.map(\.state) == [sign, derive])
        #expect(state.unfinished.allSatisfy { $0.card == bench.ident && $0.created == 5 })
        #expect(try manager.state(of: other.ident) == CardState(unfinished: [], lastEvent: nil))
        try manager.store.finish(.sign, of: bench.ident)
        #expect(try manager.state(of: bench.ident).unfinished.map(\.state) == [derive])
    }

    /// A flow's events come through the manager, and what it changed is in the manager's store.
    @Test func flowsTellTheManager() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend([bench.reader])],
            interaction: ScriptedInteraction(cvc: FlowBench.cvc),
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
        let psbt = try bench.wallet().psbt()
        let stream = manager.events()
        let signing = try await manager.sign(psbt)
        #expect(signing.result.added == 1 && signing.interruption == nil && signing.isKept)
        stream.end()
        let events = await collect(stream)
        #expect(flowEvents(events) == flowEvents(events, of: bench.ident))
        #expect(flowEvents(events).first == .provingCard && flowEvents(events).last == .signed(done: 1, total: 1))
        // Around it: the card is found, remembered and signs; each signature is stored before it is told.
        let id = psbt.unsignedTransaction.id
        let seen = try #require(
            events.first.flatMap { event -> SeenCard? in
                if case .card(.found(let seen)) = event { seen } else { nil }
            })
        #expect(seen.ident == bench.ident && seen.reader == bench.reader.spec && seen.isSimulated)
        let fingerprint = try bench.wallet().fingerprint
        let places = try [
            .signing(id, .began(bench.ident)), .transaction(id, .stored),
            .transaction(id, .signed(input: 0, by: fingerprint)), .flow(bench.ident, .signed(done: 1, total: 1)),
            .journal(bench.ident, .finished(.sign)), .signing(id, .ended(bench.ident, added: 1, missing: 0)),
        ].map { (event: ManagerEvent) in try #require(events.firstIndex(of: event), "\(event)") }
        #expect(places == places.sorted())
        #expect(
            events.contains {
                if case .card(.remembered(let record)) = $0 { record.ident == bench.ident } else { false }
            })
        #expect(try manager.state(of: bench.ident) == CardState(unfinished: [], lastEvent: .signed(done: 1, total: 1)))
        let stored = try #require(try manager.transaction(psbt.unsignedTransaction.id))
        #expect(stored.psbt.serialized() == signing.result.signedPSBT.serialized())
        #expect(stored.created == 7)
    }

    @Test func cardsAreRemembered() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let manager = manager()
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try manager.remember(status)
        #expect(try manager.store.card(bench.ident)?.fingerprint == nil)
        let fingerprint = try bench.wallet().fingerprint
        try manager.remember(status, fingerprint: fingerprint)
        // What is known is not forgotten.
        try manager.remember(status)
        let record = try #require(try manager.store.card(bench.ident))
        #expect(record.fingerprint == fingerprint)
        #expect(record.publicKey == status.publicKey && record.product == .tapsigner)
        #expect(record.isTestnet && record.lastSeen == 7)
    }
}
