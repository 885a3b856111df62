import Synchronization
import TapKitService
import Testing

/// Turns at the readers: one at a time, each client in its turn, nobody passed over.
@Suite struct CardTurnsTests {
    /// Tasks that hold their turn until they are let go, and the order in which they began.
    private final class Tasks: Sendable {
        let turns = CardTurns()
        private let begun = Mutex<[String]>([])
        private let held = Mutex<[String: CheckedContinuation<Void, Never>]>([:])
        private let (starts, started) = AsyncStream.makeStream(of: String.self)

        var order: [String] { begun.withLock { $0 } }

        func begin(_ name: String, _ want: CardTurns.Want, of client: Int) -> Task<Void, any Error> {
            Task {
                try await turns.during(want, of: client) {
                    await withCheckedContinuation { continuation in
                        held.withLock { $0[name] = continuation }
                        begun.withLock { $0.append(name) }
                        started.yield(name)
                    }
                }
            }
        }

        /// Waits until a task has begun.
        func hasBegun(_ name: String) async {
            for await start in starts where start == name { return }
        }

        func letGo(of name: String) { held.withLock { $0.removeValue(forKey: name) }?.resume() }

        /// Waits until so many tasks run or wait: they were begun in an order that counts.
        func areKnown(_ count: Int) async {
            while turns.taskCount < count { await Task.yield() }
        }
    }

    @Test func differentReadersAreUsedAtOnceAndTheSameOneIsNot() async throws {
        let tasks = Tasks()
        let running = [tasks.begin("a", .reader("1"), of: 1), tasks.begin("b", .reader("2"), of: 2)]
        await tasks.hasBegun("a")
        while tasks.order.count < 2 { await Task.yield() }
        let third = tasks.begin("c", .reader("1"), of: 3)
        await tasks.areKnown(3)
        #expect(Set(tasks.order) == ["a", "b"])
        tasks.letGo(of: "a")
        await tasks.hasBegun("c")
        for name in ["b", "c"] { tasks.letGo(of: name) }
        for task in running + [third] { try await task.value }
        #expect(!tasks.turns.isBusy)
    }

    /// One client asks for ten, another one for one: it has its turn after one of them.
    @Test func clientsTakeTurns() async throws {
        let tasks = Tasks()
        var all = [tasks.begin("first", .all, of: 1)]
        await tasks.hasBegun("first")
        for number in 0..<10 {
            all.append(tasks.begin("a\(number)", .all, of: 1))
            await tasks.areKnown(number + 2)
        }
        all.append(tasks.begin("b", .all, of: 2))
        await tasks.areKnown(12)
        for name in ["first", "a0", "b"] + (1..<10).map({ "a\($0)" }) {
            while tasks.order.last != name { await Task.yield() }
            tasks.letGo(of: name)
        }
        for task in all { try await task.value }
    }

    /// Whoever needs every reader is not passed over by those who need one each.
    @Test func whoNeedsAllReadersIsNotPassedOver() async throws {
        let tasks = Tasks()
        var all = [tasks.begin("one", .reader("1"), of: 1)]
        await tasks.hasBegun("one")
        all.append(tasks.begin("all", .all, of: 2))
        await tasks.areKnown(2)
        all.append(tasks.begin("other", .reader("2"), of: 3))
        await tasks.areKnown(3)
        #expect(tasks.order == ["one"])
        tasks.letGo(of: "one")
        await tasks.hasBegun("all")
        #expect(tasks.order == ["one", "all"])
        tasks.letGo(of: "all")
        await tasks.hasBegun("other")
        tasks.letGo(of: "other")
        for task in all { try await task.value }
    }

    @Test func whatIsCancelledNeverBegins() async throws {
        let tasks = Tasks()
        let first = tasks.begin("first", .all, of: 1)
        await tasks.hasBegun("first")
        let second = tasks.begin("second", .all, of: 2)
        await tasks.areKnown(2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        tasks.letGo(of: "first")
        try await first.value
        #expect(tasks.order == ["first"] && !tasks.turns.isBusy)
    }
}
