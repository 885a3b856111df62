import ExplainedErrors
import FlowSupport
import SmartCard
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Readers are watched once for all who want to hear of them, and only as long as one does.
@Suite struct ReaderEventTests {
    /// Readers of which a test tells what happens.
    private final class Bench: ReaderBackend {
        private let watches = Mutex<[AsyncStream<ReaderEvent>.Continuation]>([])
        private let ends = Mutex(0)
        private let reader: SimulatedReader

        init(_ reader: SimulatedReader) { self.reader = reader }

        func readers() -> [any CardReader] { [reader] }
        var noReader: any ExplainedError { ReaderError(.noReader, "There is no reader.") }

        func events() -> AsyncStream<ReaderEvent> {
            let (stream, continuation) = AsyncStream.makeStream(of: ReaderEvent.self)
            continuation.onTermination = { [weak self] _ in self?.ends.withLock { $0 += 1 } }
            watches.withLock { $0.append(continuation) }
            return stream
        }

        var watchCount: Int { watches.withLock { $0.count } }
        var endCount: Int { ends.withLock { $0 } }

        /// The last watch ends without anybody's wish.
        func endLastWatch() { watches.withLock { $0.last }?.finish() }

        func tell(_ event: ReaderEvent) { for watch in watches.withLock({ $0 }) { watch.yield(event) } }
    }

    private let card: FlowBench
    private let readers: Bench
    private let manager: CardManager

    init() throws {
        var generator = SeededGenerator()
        card = try FlowBench(using: &generator)
        readers = Bench(card.reader)
        manager = CardManager(store: MemoryStore(), readers: [readers], clock: { UnixTime(seconds: 5) })
    }

    private var spec: String { card.reader.spec }

    private func eventually(_ condition: () -> Bool) async throws {
        for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }

    @Test func nobodyIsWatchedForThoseWhoFollowFlows() async throws {
        let flows = manager.events()
        _ = manager.snapshot()
        #expect(readers.watchCount == 0)
        let watching = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 1 }
        var events = watching.makeAsyncIterator()
        readers.tell(.readerAttached(spec: spec))
        #expect(await events.next() == .reader(.readerAttached(spec: spec)))
        // Others are told nothing of it.
        manager.hub.publish(.labels(1))
        flows.end()
        #expect(await flows.reduce(into: []) { $0.append($1) } == [.labels(1)])
        watching.end()
        try await eventually { readers.endCount == 1 }
    }

    /// The first watch, which has been told of the reader and the card on it.
    private func watchOfACard() async throws -> (ManagerEvents, ManagerEvents.AsyncIterator) {
        let watch = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 1 }
        var events = watch.makeAsyncIterator()
        readers.tell(.readerAttached(spec: spec))
        readers.tell(.cardInserted(spec: spec))
        #expect(await events.next() == .reader(.readerAttached(spec: spec)))
        #expect(await events.next() == .reader(.cardInserted(spec: spec)))
        return (watch, events)
    }

    /// One watch for all. Who comes later begins with what is there; the end of one is not the others'; the last one ends it.
    @Test func readersAreWatchedOnce() async throws {
        let (first, begun) = try await watchOfACard()
        var firstEvents = begun

        let second = manager.events(watchingReaders: true)
        var secondEvents = second.makeAsyncIterator()
        #expect(await secondEvents.next() == .reader(.readerAttached(spec: spec)))
        #expect(await secondEvents.next() == .reader(.cardInserted(spec: spec)))
        first.end()
        readers.tell(.cardRemoved(spec: spec))
        #expect(await secondEvents.next() == .reader(.cardRemoved(spec: spec)))
        #expect(await firstEvents.next() == nil)
        #expect(readers.watchCount == 1 && readers.endCount == 0)
        second.end()
        try await eventually { readers.endCount == 1 }

        // The next one begins anew, and knows nothing of before.
        let third = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 2 }
        readers.tell(.readerAttached(spec: spec))
        var thirdEvents = third.makeAsyncIterator()
        #expect(await thirdEvents.next() == .reader(.readerAttached(spec: spec)))
        third.end()
    }

    /// A backend that stops telling leaves nothing behind: what it told of is told to be gone. The next who wants to hear of
    /// readers begins a new watch, of which those who waited hear, too.
    @Test func aWatchThatEndsByItselfIsForgotten() async throws {
        let (first, begun) = try await watchOfACard()
        var firstEvents = begun
        let found = try await manager.card()
        await found.card.disconnect()
        let seen = SeenCard(found)
        #expect(await firstEvents.next() == .card(.found(seen)))
        #expect(manager.snapshot().readers.map(\.isOccupied) == [true])
        #expect(manager.snapshot().readers.map(\.card) == [seen])

        readers.endLastWatch()
        #expect(await firstEvents.next() == .reader(.cardRemoved(spec: spec)))
        #expect(await firstEvents.next() == .card(.gone(seen)))
        #expect(await firstEvents.next() == .reader(.readerDetached(spec: spec)))
        #expect(manager.snapshot().readers.map(\.isOccupied) == [nil])
        #expect(manager.snapshot().readers.map(\.card) == [nil])
        #expect(readers.watchCount == 1)

        let second = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 2 }
        var secondEvents = second.makeAsyncIterator()
        readers.tell(.readerAttached(spec: spec))
        #expect(await firstEvents.next() == .reader(.readerAttached(spec: spec)))
        #expect(await secondEvents.next() == .reader(.readerAttached(spec: spec)))
        #expect(manager.snapshot().readers.map(\.isOccupied) == [false])
        first.end()
        second.end()
        try await eventually { readers.endCount == 2 }
    }

    /// The readers of one backend are forgotten when its stream ends; those of another go on being watched. Who comes then joins
    /// that watch, and has the others watched anew.
    @Test func aBackendThatStopsTakesItsReadersOnly() async throws {
        var generator = SeededGenerator()
        let others = Bench(try FlowBench(using: &generator).reader)
        let manager = CardManager(store: MemoryStore(), readers: [readers, others], clock: { UnixTime(seconds: 5) })
        let stream = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 1 && others.watchCount == 1 }
        var events = stream.makeAsyncIterator()
        readers.tell(.readerAttached(spec: "a"))
        #expect(await events.next() == .reader(.readerAttached(spec: "a")))
        others.tell(.readerAttached(spec: "b"))
        #expect(await events.next() == .reader(.readerAttached(spec: "b")))
        readers.endLastWatch()
        #expect(await events.next() == .reader(.readerDetached(spec: "a")))
        others.tell(.cardInserted(spec: "b"))
        #expect(await events.next() == .reader(.cardInserted(spec: "b")))
        let late = manager.events(watchingReaders: true)
        var lateEvents = late.makeAsyncIterator()
        #expect(await lateEvents.next() == .reader(.readerAttached(spec: "b")))
        try await eventually { readers.watchCount == 2 }
        #expect(others.watchCount == 1)
        stream.end()
        late.end()
        try await eventually { readers.endCount == 2 && others.endCount == 1 }
    }

    /// Whoever lets go of his stream without ending it is not waited for either.
    @Test func aForgottenStreamEndsTheWatch() async throws {
        var stream: ManagerEvents? = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 1 }
        #expect(stream != nil)
        stream = nil
        try await eventually { readers.endCount == 1 }
    }

    /// A card is found when somebody looks, once; and is gone when a look or the reader says so.
    @Test func cardsComeAndGo() async throws {
        let stream = manager.events()
        var events = stream.makeAsyncIterator()
        let found = try await manager.card()
        await found.card.disconnect()
        let seen = SeenCard(found)
        #expect(seen.ident == card.ident && seen.product == .tapsigner && seen.reader == spec && seen.isSimulated)
        for look in await manager.cards(on: [card.reader]) {
            let same = try look.get()
            await same?.card.disconnect()
        }
        #expect(await events.next() == .card(.found(seen)))
        #expect(manager.snapshot().readers.map(\.card) == [seen])
        #expect(manager.snapshot().readers.map(\.isOccupied) == [nil])
        card.reader.pull()
        _ = await manager.cards(on: [card.reader])
        #expect(await events.next() == .card(.gone(seen)))
        #expect(manager.snapshot().readers.map(\.card) == [nil])

        card.reader.insert()
        let back = try await manager.card()
        await back.card.disconnect()
        #expect(await events.next() == .card(.found(seen)))
        let watching = manager.events(watchingReaders: true)
        try await eventually { readers.watchCount == 1 }
        readers.tell(.readerAttached(spec: spec))
        readers.tell(.cardInserted(spec: spec))
        try await eventually { manager.snapshot().readers.map(\.isOccupied) == [true] }
        #expect(manager.snapshot().readers.map(\.card) == [seen])
        readers.tell(.cardRemoved(spec: spec))
        #expect(await events.next() == .card(.gone(seen)))
        #expect(manager.snapshot().readers.map(\.isOccupied) == [false])
        watching.end()
        stream.end()
    }

    /// A look takes a while: a card that was taken off meanwhile is not said to lie there.
    @Test func aCardThatWentDuringTheLookDoesNotLieThere() async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(using: &generator)
        let manager = CardManager(store: MemoryStore(), readers: [SimulatedBackend([bench.reader])]) {
            UnixTime(seconds: 5)
        }
        let card = SeenCard(try await manager.card())
        var known = ReaderKnowledge()
        _ = known.happened(.readerAttached(spec: "r"))
        _ = known.happened(.cardInserted(spec: "r"))
        let before = known.removals(on: "r")
        _ = known.happened(.cardRemoved(spec: "r"))
        #expect(known.saw(card, on: "r", since: before).isEmpty && known.card(on: "r") == nil)
        _ = known.happened(.cardInserted(spec: "r"))
        #expect(known.saw(card, on: "r", since: known.removals(on: "r")) == [.found(card)])
        #expect(known.happened(.cardRemoved(spec: "r")) == [.gone(card)])
    }
}
