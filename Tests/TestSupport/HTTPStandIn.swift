import Foundation
import Synchronization

/// A web server whose answers a test writes byte by byte.
public final class HTTPStandIn: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// The method's name.
        public let method: String
        /// The path, with what is behind a question mark.
        public let path: String
        /// Lower-case names.
        public let headers: [String: String]
        /// What was posted, as text.
        public let body: String
        /// How often this path was asked for before.
        public let repetition: Int
    }

    private let server: ScriptedServer
    private let seen: Seen

    private final class Seen: Sendable {
        let requests = Mutex<[Request]>([])
    }

    /// Starts it.
    /// - Parameter answer: the bytes sent, head included; `nil` says nothing and keeps the connection.
    public init(_ answer: @escaping @Sendable (Request) -> [UInt8]?) throws {
        let seen = Seen()
        self.seen = seen
        server = try ScriptedServer { connection, _ in
            while let request = try Self.read(connection, seen) {
                guard let bytes = answer(request) else {
                    _ = try connection.read()
                    return
                }
                try connection.write(bytes)
                if !String(decoding: bytes.prefix(2_000), as: UTF8.self).contains("Content-Length") { return }
            }
        }
    }

    /// Where it listens.
    public var port: UInt16 { server.port }
    /// How often somebody connected.
    public var connectionCount: Int { server.connectionCount }
    /// What was asked for, in order.
    public var requests: [Request] { seen.requests.withLock { $0 } }

    private static func read(_ connection: LoopbackSocket, _ seen: Seen) throws -> Request? {
        guard let start = try connection.readLine()?.split(separator: " "), start.count == 3 else { return nil }
        var headers: [String: String] = [:]
        while let line = try connection.readLine()?.trimmingCharacters(in: .whitespacesAndNewlines), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        let body = try connection.read(exactly: headers["content-length"].flatMap { Int($0) } ?? 0)
        return seen.requests.withLock { requests in
            let path = String(start[1])
            let request = Request(
                method: String(start[0]), path: path, headers: headers, body: String(decoding: body, as: UTF8.self),
                repetition: requests.count { $0.path == path })
            requests.append(request)
            return request
        }
    }

    /// A whole answer.
    public static func reply(_ body: String, status: Int = 200, headers: [String] = []) -> [UInt8] {
        reply(Array(body.utf8), status: status, headers: headers)
    }

    /// A whole answer of bytes.
    public static func reply(_ body: [UInt8], status: Int = 200, headers: [String] = []) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}
