import Bitcoin
import ByteCodec
import Synchronization
import TapKitService
import TestSupport
import Testing

/// A program that uses the service, by whichever transport.
final class TestClient: Sendable {
    /// What carries its lines.
    protocol Carrier: Sendable {
        /// Sends bytes as they are.
        func send(_ bytes: [UInt8])
        /// Leaves.
        func close()
    }

    let inbox: Inbox
    private let carrier: any Carrier
    /// What must be there as long as the client is.
    private let bench: ServiceBench?
    private let numbers = Atomic<Int>(0)
    /// What came while an answer was awaited.
    private let others = Mutex<[JSONValue]>([])
    /// How questions are answered; `nil`: they are kept.
    private let reply: (@Sendable (String, JSONValue) -> JSONText?)?

    init(
        _ carrier: any Carrier, _ inbox: Inbox, of bench: ServiceBench? = nil,
        answering reply: (@Sendable (String, JSONValue) -> JSONText?)? = nil
    ) { (self.carrier, self.inbox, self.bench, self.reply) = (carrier, inbox, bench, reply) }

    /// Sends a line.
    func send(_ line: String) { carrier.send(Array((line + "\n").utf8)) }

    /// Sends bytes as they are.
    func send(bytes: [UInt8]) { carrier.send(bytes) }

    /// Leaves.
    func close() { carrier.close() }

    /// The next message; `nil`: the connection is over.
    func next() async -> JSONValue? { await inbox.next() }

    /// Asks for something without waiting.
    /// - Returns: the call's number.
    @discardableResult
    func begin(_ method: String, _ params: String = "{}") -> Int {
        let number = numbers.add(1, ordering: .relaxed).newValue
        send(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(params)}"#)
        return number
    }

    /// The answer to a call; questions are answered meanwhile. A transaction in it is one that a node takes.
    func answer(to number: Int) async throws -> JSONValue {
        let answer = try await message(answering: number)
        if let hex = answer["result"]?["tx"]?.string {
            try await NodeJury.expectTaken([Transaction(serialized: Hex.decode(hex))])
        }
        return answer
    }

    private func message(answering number: Int) async throws -> JSONValue {
        if let early = others.withLock({ others in
            others.firstIndex { $0["id"] == .integer(number) && $0["method"] == nil }.map { others.remove(at: $0) }
        }) {
            return early
        }
        while let message = await inbox.next() {
            if message["method"] == nil, message["id"] == .integer(number) { return message }
            if let id = message["id"]?.integer, let method = message["method"]?.string,
                let answer = reply?(method, message["params"] ?? .null)
            {
                send(JSONText.object([("jsonrpc", .string("2.0")), ("id", .number(id)), ("result", answer)]).line)
            }
            others.withLock { $0.append(message) }
        }
        throw ConnectionOver()
    }

    /// Calls, and returns the result.
    func call(_ method: String, _ params: String = "{}") async throws -> JSONValue {
        let message = try await answer(to: begin(method, params))
        return try #require(message["result"], "\(method): \(JSONText(message).line)")
    }

    /// Calls, and returns the error.
    func failure(_ method: String, _ params: String = "{}") async throws -> JSONValue {
        let message = try await answer(to: begin(method, params))
        return try #require(message["error"], "\(method) was carried out")
    }

    /// Everything that came and was not an answer that somebody waited for, as text.
    var everythingTold: String { others.withLock { $0.map { JSONText($0).line }.joined(separator: "\n") } }

    /// What else came, by the methods' names.
    func told(_ method: String) -> [JSONValue] {
        others.withLock { $0.filter { $0["method"] == .string(method) } }.compactMap { $0["params"] }
    }
}

/// The service ended the connection.
struct ConnectionOver: Error {}
