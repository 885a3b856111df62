import Bitcoin
import ByteCodec
import Synchronization

/// A connected program: what it has asked for and not been answered yet.
package final class ServiceClient: Sendable {
    private struct State {
        /// The running calls.
        var calls: [Int: (id: RPCIdentifier?, task: Task<Void, Never>?)] = [:]
        /// How many calls are not answered yet, or are being answered.
        var unanswered = 0
        var nextNumber = 0
        /// The running subscriptions.
        var subscriptions: [Int: Task<Void, Never>] = [:]
        var isInputOver = false
        var hasLeft = false
    }

    /// Tells it from others; never used again.
    let number: Int
    /// Which program it is.
    let peer: Peer
    /// What it may do beyond what every program may.
    let trust: ClientTrust
    /// What it is asked.
    let questions: ClientQuestions
    private let connection: any ClientConnection
    private let processor: ServiceProcessor
    private let state = Mutex(State())

    init(
        _ number: Int, _ peer: Peer, _ trust: ClientTrust, _ connection: any ClientConnection,
        _ processor: ServiceProcessor
    ) {
        (self.number, self.peer, self.trust) = (number, peer, trust)
        (self.connection, self.processor) = (connection, processor)
        questions = ClientQuestions(connection, answerTime: processor.limits.answerTime)
    }

    // MARK: What comes

    /// Takes a line, without its end, and wipes it. Does not wait for what it asks for.
    package func receive(_ line: consuming [UInt8]) {
        var line = line
        let secret = questions.expectsSecret ? SecretAnswer.take(from: &line) : nil
        let content = RPCLine(line, within: processor.limits)
        line.wipe()
        switch content {
        case .fault(let fault): send(RPCText.answer(.failure(fault), to: .null))
        case .single(let message):
            let connection = connection
            take(message, secret) { answer in if let answer { connection.send(answer.framed) } }
        case .batch(let messages):
            let batch = BatchAnswer(count: messages.count, connection)
            for message in messages { take(message, nil) { batch.take($0) } }
        }
    }

    /// A line came that is beyond the limit.
    package func receiveTooLong() { send(RPCText.answer(.failure(.tooLong(processor.limits)), to: .null)) }

    /// The rest of a line did not come in time.
    package func receiveTooSlow() {
        let seconds = processor.limits.lineTime.components.seconds
        let fault = RPCFault(.limitReached, "A line must be whole within \(seconds) seconds of its first byte.")
        send(RPCText.answer(.failure(fault), to: .null))
    }

    /// It sends nothing more, but may wait for answers: the connection ends after the last one.
    package func receiveEnd() {
        state.withLock { $0.isInputOver = true }
        endIfDone()
    }

    private func endIfDone() {
        let isDone = state.withLock { $0.isInputOver && $0.unanswered == 0 && $0.subscriptions.isEmpty }
        if isDone { connection.end() }
    }

    /// The connection is over: what it asked for ends.
    package func leave() {
        let tasks = state.withLock { state -> [Task<Void, Never>] in
            state.hasLeft = true
            return state.calls.values.compactMap(\.task) + state.subscriptions.values
        }
        for task in tasks { task.cancel() }
        questions.end()
        connection.end()
        processor.left(self)
    }

    /// Waits until nothing that it asked for runs any more.
    func finish() async {
        let tasks = state.withLock { $0.calls.values.compactMap(\.task) + $0.subscriptions.values }
        for task in tasks { await task.value }
    }

    // MARK: What goes

    /// Tells it something.
    func tell(_ method: String, _ params: JSONText) { send(RPCText.notification(method, params)) }

    /// Returns when it has read enough that more may follow.
    func room() async { await connection.room() }

    private func send(_ message: JSONText) { connection.send(message.framed) }

    // MARK: Calls

    /// - Parameter answer: called once; with `nil` if there is no answer.
    private func take(
        _ message: RPCMessage, _ secret: SecretBytes?, _ answer: @escaping @Sendable (JSONText?) -> Void
    ) {
        switch message {
        case .answer(let given):
            questions.take(given, secret)
            answer(nil)
        case .invalid(let fault, let id): answer(RPCText.answer(.failure(fault), to: id))
        case .call(let call):
            // Nobody is told what became of a notification.
            start(call) { outcome in answer(call.id.map { RPCText.answer(outcome, to: $0) }) }
        }
    }

    private func start(_ call: RPCCall, _ answer: @escaping @Sendable (Result<ServiceAnswer, RPCFault>) -> Void) {
        // There is always room to cancel one of the others.
        let limit = processor.limits.callsInFlight + (call.method == CancelMethod.name ? 1 : 0)
        let number = state.withLock { state -> Int? in
            guard !state.hasLeft, state.calls.count < limit else { return nil }
            state.nextNumber += 1
            state.unanswered += 1
            state.calls[state.nextNumber] = (call.id, nil)
            return state.nextNumber
        }
        guard let number else {
            return answer(
                .failure(
                    RPCFault(
                        .limitReached,
                        "At most \(processor.limits.callsInFlight) calls of one program are worked on at once.")))
        }
        let task = Task.detached { [self] in
            var done = ServiceAnswer.Continuation?.none
            let outcome: Result<ServiceAnswer, RPCFault>
            do {
                let value = try await MethodList.run(call, for: self, of: processor)
                done = value.then
                outcome = .success(value)
            } catch { outcome = .failure(RPCFault(error)) }
            // Whoever has the answer may call again.
            _ = state.withLock { $0.calls.removeValue(forKey: number) }
            answer(outcome)
            // What follows the answer, such as events, comes after it.
            done?(self)
            state.withLock { $0.unanswered -= 1 }
            endIfDone()
        }
        let isOver = state.withLock { state -> Bool in
            guard state.calls[number] != nil else { return false }
            state.calls[number]?.task = task
            return state.hasLeft
        }
        if isOver { task.cancel() }
    }

    /// Ends what a call does, at the next point where nothing is lost.
    /// - Returns: whether there is such a call.
    func cancel(_ id: RPCIdentifier) -> Bool {
        let tasks = state.withLock { $0.calls.values.filter { $0.id == id }.compactMap(\.task) }
        for task in tasks { task.cancel() }
        return !tasks.isEmpty
    }

    // MARK: Subscriptions

    /// Counts a subscription, before it begins.
    /// - Throws: `RPCFault.limitReached`.
    func requireSubscriptionRoom() throws {
        let limit = processor.limits.subscriptionCount
        guard state.withLock({ $0.subscriptions.count < limit }) else {
            throw RPCFault(.limitReached, "A program has at most \(limit) subscriptions.")
        }
    }

    /// Begins to send something until it ends, or is ended.
    func subscribe(_ number: Int, _ task: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.hasLeft else { return }
            state.subscriptions[number] = Task.detached { [self] in
                await task()
                _ = self.state.withLock { $0.subscriptions.removeValue(forKey: number) }
                endIfDone()
            }
        }
    }

    /// Ends a subscription.
    /// - Returns: whether there was one.
    func unsubscribe(_ number: Int) -> Bool {
        guard let task = state.withLock({ $0.subscriptions.removeValue(forKey: number) }) else { return false }
        task.cancel()
        return true
    }
}
