import ByteCodec
import Synchronization

/// One connection to an Electrum server: calls with ids, alone or in batches, and notifications.
///
/// Spec: Electrum protocol, "Protocol Basics".
final class ElectrumConnection: LineReceiver {
    private struct State {
        var nextID = 1
        /// The calls that are waiting for answers, by id.
        var waiting: [Int: (call: ElectrumCall, index: Int)] = [:]
        var lastProgress: ContinuousClock.Instant
        var fault: ChainError?
        var notifications: [JSONValue] = []
        var listeners: [OneAnswer<Bool>] = []
        /// Requests that nobody waits for any more, whose answers may still come.
        var abandoned = 0
    }

    /// Notifications kept for a later listener.
    private static let mostNotifications = 100_000

    private let state: Mutex<State>
    private let stream = Mutex<LineStream?>(nil)
    private let settings: ChainSettings

    private init(_ settings: ChainSettings) {
        self.settings = settings
        state = Mutex(State(lastProgress: settings.now()))
    }

    /// Connects.
    /// - Parameter budget: the bytes allowed on this connection and others.
    static func open(
        _ endpoint: LineEndpoint, _ settings: ChainSettings, _ budget: ByteBudget
    ) async throws(ChainError) -> ElectrumConnection {
        let connection = ElectrumConnection(settings)
        let stream = try await LineStream.open(
            LineConnector(endpoint: endpoint, settings: settings), connection, budget)
        connection.stream.withLock { $0 = stream }
        return connection
    }

    /// Why no more answers can come; `nil` while they can.
    var fault: ChainError? { state.withLock { $0.fault } }

    func close() { stream.withLock { $0 }?.close() }

    /// Sends requests, and waits for all answers.
    /// - Parameter inBatch: in one JSON array; otherwise one after another, without waiting in between.
    func answers(to requests: [ElectrumRequest], inBatch: Bool) async throws(ChainError) -> [ElectrumAnswer] {
        guard !requests.isEmpty else { return [] }
        let call = ElectrumCall(count: requests.count)
        let (first, fault) = state.withLock { state in
            let first = state.nextID
            guard state.fault == nil else { return (first, state.fault) }
            if state.waiting.isEmpty { state.lastProgress = settings.now() }
            state.nextID += requests.count
            for index in requests.indices { state.waiting[first + index] = (call, index) }
            return (first, nil)
        }
        if let fault { throw fault }
        let messages = requests.enumerated().map { $1.json(id: first + $0) }
        var bytes: [UInt8] = []
        for message in inBatch ? [.array(messages)] : messages { bytes += message.serialized + [UInt8(ascii: "\n")] }
        stream.withLock { $0 }?.send(bytes)
        return try await call.answer.value {
            self.state.withLock { state in
                for id in first..<first + requests.count where state.waiting.removeValue(forKey: id) != nil {
                    state.abandoned += 1
                }
            }
        }.get()
    }

    // Notifications

    /// Takes the notifications that arrived since the last time.
    func takeNotifications() -> [JSONValue] {
        state.withLock { state in
            defer { state.notifications = [] }
            return state.notifications
        }
    }

    /// An answer that is given at the next notification, or immediately if one is waiting.
    func nextNotification() -> OneAnswer<Bool> {
        let listener = OneAnswer<Bool>()
        state.withLock { state in
            if let fault = state.fault {
                listener.give(.failure(fault))
            } else if state.notifications.isEmpty {
                state.listeners.append(listener)
            } else {
                listener.give(.success(true))
            }
        }
        return listener
    }

    // LineReceiver

    func received(_ line: [UInt8]) {
        do throws(ChainError) {
            let message = try JSONValue(answer: line)
            for part in message.array ?? [message] { try take(part) }
        } catch {
            end(error)
        }
    }

    func patienceFault() -> ChainError? {
        let isTooLong = state.withLock { state in
            !state.waiting.isEmpty && settings.now() - state.lastProgress > settings.answerTimeLimit
        }
        return isTooLong ? .unreachable(.timedOut, detail: "") : nil
    }

    func ended(_ error: ChainError) { end(error) }

    private func take(_ message: JSONValue) throws(ChainError) {
        guard message.object != nil else { throw .malformed("an answer is not an object") }
        if message["method"] != nil, message["id"] == nil || message["id"]?.isNull == true {
            return try takeNotification(message)
        }
        let answer = try Self.answer(message)
        guard let id = message["id"]?.integer else {
            // A server that rejects a batch answers once, without an id.
            if case .refusal(_, let text) = answer { throw .serverError(status: nil, message: text) }
            throw .malformed("an answer without an id")
        }
        let done: (ElectrumCall, [ElectrumAnswer])? = try state.withLock { state throws(ChainError) in
            guard let id = Int(exactly: id), id > 0, id < state.nextID else {
                throw .malformed("an answer to a request that was not made")
            }
            guard let (call, index) = state.waiting.removeValue(forKey: id) else {
                guard state.abandoned > 0 else { throw .malformed("a second answer to the same request") }
                state.abandoned -= 1
                return nil
            }
            state.lastProgress = settings.now()
            return call.note(index, answer).map { (call, $0) }
        }
        if let (call, answers) = done { call.answer.give(.success(answers)) }
    }

    private func takeNotification(_ message: JSONValue) throws(ChainError) {
        let listeners = try state.withLock { state throws(ChainError) in
            guard state.notifications.count < Self.mostNotifications else {
                throw .tooLarge(limit: Self.mostNotifications, of: .notifications)
            }
            state.notifications.append(message)
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.give(.success(true)) }
    }

    private static func answer(_ message: JSONValue) throws(ChainError) -> ElectrumAnswer {
        if let error = message["error"], !error.isNull {
            let text = error["message"]?.string ?? error.string ?? "no reason given"
            return .refusal(code: error["code"]?.integer, message: ServerText(text))
        }
        return .result(try message.required("result"))
    }

    private func end(_ error: ChainError) {
        let (calls, listeners) = state.withLock { state in
            defer {
                state.waiting = [:]
                state.listeners = []
            }
            if state.fault == nil { state.fault = error }
            return (state.waiting.values.map(\.call), state.listeners)
        }
        for call in calls { call.answer.give(.failure(error)) }
        for listener in listeners { listener.give(.failure(error)) }
        close()
    }
}
