import Synchronization

/// Whose turn it is at which reader: one task at a time for each reader, and clients one after the other.
///
/// A task has its reader, or all of them, from its beginning to its end, so that no exchanges of two tasks alternate and
/// none waits for another in a circle. Clients take turns: one that asks for much waits behind one that asks for little.
/// A client whose task waits for several readers keeps later ones off them, so that it is not passed over for ever.
package final class CardTurns: Sendable {
    /// What a task needs.
    package enum Want: Sendable, Equatable {
        /// The reader with this `spec`.
        case reader(String)
        /// Every reader.
        case all

        fileprivate func overlaps(_ other: Want) -> Bool {
            guard case .reader(let mine) = self, case .reader(let others) = other else { return true }
            return mine == others
        }
    }

    private struct Waiting {
        let number: Int
        let want: Want
        let start: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var nextNumber = 0
        /// The running tasks, by their numbers.
        var running: [Int: Want] = [:]
        /// The clients with waiting tasks, in the order in which they have their next turns.
        var clients: [Int] = []
        /// Each client's waiting tasks, in their order.
        var queues: [Int: [Waiting]] = [:]
        /// Tasks that were cancelled before they waited.
        var cancelled: Set<Int> = []

        /// The tasks that can start now, in order.
        mutating func startable() -> [Waiting] {
            var started: [Waiting] = []
            var taken = Array(running.values)
            var order = clients
            while !order.isEmpty {
                let client = order.removeFirst()
                guard let first = queues[client]?.first else { continue }
                guard !taken.contains(where: first.want.overlaps) else {
                    taken.append(first.want)
                    continue
                }
                taken.append(first.want)
                running[first.number] = first.want
                started.append(first)
                queues[client]?.removeFirst()
                clients.removeAll { $0 == client }
                if queues[client]?.isEmpty == false {
                    // Its next task waits until the others have had their turns.
                    clients.append(client)
                    order.append(client)
                } else {
                    queues[client] = nil
                }
            }
            return started
        }

        mutating func remove(_ number: Int) -> Waiting? {
            for (client, queue) in queues {
                guard let index = queue.firstIndex(where: { $0.number == number }) else { continue }
                let waiting = queues[client]?.remove(at: index)
                if queues[client]?.isEmpty == true {
                    queues[client] = nil
                    clients.removeAll { $0 == client }
                }
                return waiting
            }
            return nil
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether a task runs or waits.
    package var isBusy: Bool { taskCount > 0 }

    /// How many tasks run or wait.
    package var taskCount: Int {
        state.withLock { $0.running.count + $0.queues.values.reduce(0) { $0 + $1.count } }
    }

    /// Runs a task of a client when it is its turn.
    /// - Throws: `CancellationError` if it is cancelled while it waits; what the task throws.
    package func during<Result: Sendable>(
        _ want: Want, of client: Int, _ task: @Sendable () async throws -> Result
    ) async throws -> Result {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let isStarted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(Waiting(number: number, want: want, start: continuation), of: client)
            }
        } onCancel: {
            cancel(number)
        }
        guard isStarted else { throw CancellationError() }
        defer { end(number) }
        return try await task()
    }

    private func wait(_ waiting: Waiting, of client: Int) {
        let started = state.withLock { state -> [Waiting]? in
            if state.cancelled.remove(waiting.number) != nil { return nil }
            if state.queues[client] == nil { state.clients.append(client) }
            state.queues[client, default: []].append(waiting)
            return state.startable()
        }
        guard let started else { return waiting.start.resume(returning: false) }
        for task in started { task.start.resume(returning: true) }
    }

    private func cancel(_ number: Int) {
        let (removed, started) = state.withLock { state -> (Waiting?, [Waiting]) in
            let removed = state.remove(number)
            // It may run by now, or not wait yet.
            if removed == nil, state.running[number] == nil { state.cancelled.insert(number) }
            return (removed, state.startable())
        }
        removed?.start.resume(returning: false)
        for task in started { task.start.resume(returning: true) }
    }

    private func end(_ number: Int) {
        let started = state.withLock { state in
            state.running[number] = nil
            state.cancelled.remove(number)
            return state.startable()
        }
        for task in started { task.start.resume(returning: true) }
    }
}
