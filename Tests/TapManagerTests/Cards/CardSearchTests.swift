import ExplainedErrors
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Finding cards, and waiting for them.
@Suite struct CardSearchTests {
    private func manager(
        _ readers: [any ReaderBackend], _ person: any Interaction = NobodyToAsk(), patience: Patience? = nil
    ) throws -> CardManager {
        CardManager(
            store: MemoryStore(), readers: readers, interaction: person, patience: patience,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 7) })
    }

    private func benches(_ count: Int) throws -> [FlowBench] {
        var generator = SeededGenerator()
        return try (0..<count).map { _ in try FlowBench(using: &generator) }
    }

    @Test func theCardThatIsMeantIsFound() async throws {
        let benches = try benches(2)
        let manager = try manager([SimulatedBackend(benches.map(\.reader))])
        let all = try await manager.cards()
        #expect(all.map(\.ident) == benches.map(\.ident))
        for card in all { await card.card.disconnect() }
        let several = await #expect(throws: CardSearchError.self) { try await manager.card() }
        #expect(several?.code == .ambiguousCard && several?.details.count == 2)
        for bench in benches {
            let text = bench.ident.description.prefix(7).lowercased()
            let found = try await manager.card(.identContaining(text))
            #expect(found.ident == bench.ident)
            await found.card.disconnect()
        }
        let nobody = await #expect(throws: CardSearchError.self) { try await manager.card(.identContaining("99999")) }
        #expect(nobody?.code == .noCard && nobody?.details.count == 2)
        benches[0].reader.pull()
        #expect(try await manager.card().ident == benches[1].ident)
    }

    /// No reader is another thing than no card.
    @Test func noReaderIsNoReader() async throws {
        let none = await #expect(throws: CardSearchError.self) { try await manager([SimulatedBackend([])]).card() }
        #expect(none?.code == .simFileNotFound)
        let bench = try benches(1)[0]
        bench.reader.pull()
        let away = await #expect(throws: CardSearchError.self) {
            try await manager([SimulatedBackend([bench.reader])]).card()
        }
        #expect(away?.code == .noCard)
        // One backend that has none keeps nobody from using another's.
        bench.reader.insert()
        let both = try manager([SimulatedBackend([]), SimulatedBackend([bench.reader])])
        #expect(try await both.card().ident == bench.ident)
    }

    /// A card is found when it is laid down, and people are asked for it once.
    @Test func aCardIsWaitedFor() async throws {
        let bench = try benches(1)[0]
        bench.reader.pull()
        let person = ScriptedInteraction(give: { _ in throw ScriptedInteraction.Declined() }) {
            [reader = bench.reader] in
            if case .request(.layCard) = $0 { reader.insert() }
        }
        let manager = try manager([SimulatedBackend([bench.reader])], person, patience: .unlimited)
        #expect(try await manager.card().ident == bench.ident)
        #expect(person.words == ["request"])
    }

    /// Where no reader came while a card was waited for, that is why there is none.
    @Test func noReaderIsNoReaderAfterWaitingToo() async throws {
        let person = ScriptedInteraction(give: { _ in throw ScriptedInteraction.Declined() })
        let bench = try benches(1)[0]
        bench.reader.pull()
        for (backend, expected) in [
            (NoReaders() as any ReaderBackend, ErrorCode.noService), (SimulatedBackend([bench.reader]), .timedOut),
        ] {
            let manager = try manager([backend], person, patience: .limited(.milliseconds(50)))
            let late = await #expect(throws: CardSearchError.self) { try await manager.card() }
            #expect(late?.code == expected && late?.message.hasPrefix("No card was put on the reader in time.") == true)
        }
    }

    /// A service that does not answer.
    private struct NoReaders: ReaderBackend {
        private let problem = ReaderError(.noService, "It is not there.")
        var noReader: any ExplainedError { problem }
        func readers() throws(ReaderError) -> [any CardReader] { throw problem }
        func events() -> AsyncStream<ReaderEvent> { AsyncStream { _ in } }
    }

    /// What else stands in the way is told, each thing once; and nobody waits longer than was asked for.
    @Test func anObstacleIsToldOnce() async throws {
        let bench = try benches(1)[0]
        let channel = try await BlockingThread.run { [reader = bench.reader] in
            Held(channel: try reader.connect())
        }
        let person = ScriptedInteraction(give: { _ in throw ScriptedInteraction.Declined() })
        let manager = try manager(
            [SimulatedBackend([bench.reader])], person, patience: .limited(.milliseconds(1_200)))
        let late = await #expect(throws: CardSearchError.self) { try await manager.card() }
        #expect(late?.code == .timedOut && late?.message.contains("is using") == true, "\(late?.message ?? "")")
        #expect(person.words == ["obstacle", "request"])
        channel.channel.disconnect()
    }

    private struct Held: @unchecked Sendable {
        let channel: any CardChannel
    }

    @Test func aCancelledWaitEnds() async throws {
        let bench = try benches(1)[0]
        bench.reader.pull()
        let manager = try manager([SimulatedBackend([bench.reader])], patience: .unlimited)
        let task = Task { try await manager.card() }
        task.cancel()
        let error = await #expect(throws: CardSearchError.self) { try await task.value }
        #expect(error?.code == .interrupted)
    }

    /// Whoever passes one card on to a second reader makes no second card of it.
    @Test func oneCardOnTwoReadersIsOneCard() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let readers = [bench.reader, try bench.copy().reader]
        let manager = try manager([SimulatedBackend(readers)], ScriptedInteraction(cvc: FlowBench.cvc))
        #expect(try await manager.cards().map(\.ident) == [bench.ident, bench.ident])
        #expect(try await manager.accounts(atLeast: 1).map(\.card.ident) == [bench.ident])
        let few = await #expect(throws: CardSearchError.self) { try await manager.accounts(atLeast: 2) }
        #expect(few?.code == .noCard && few?.message == "1 of 2 cards is on the readers.")
    }
}
