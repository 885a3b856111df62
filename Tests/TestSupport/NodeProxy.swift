import Foundation

/// Stands before a `BitcoinNode` and alters its answers as a test says; every call that is let through is answered by the
/// node, and every password is judged by it.
public final class NodeProxy: Sendable {
    private let http: HTTPStandIn
    private let node: BitcoinNode

    /// One call, from a request that may have many.
    public struct Call: Sendable {
        /// The method's name.
        public let method: String
        /// The parameters as JSON.
        public let parameters: String
        /// How many requests came before the one that this call is from.
        public let repetition: Int
        private let request: HTTPStandIn.Request
        private let body: [UInt8]
        private let port: UInt16

        fileprivate init(_ fields: [String: Any], _ request: HTTPStandIn.Request, _ port: UInt16) throws {
            method = fields["method"] as? String ?? ""
            let given = try JSONSerialization.data(
                withJSONObject: fields["params"] ?? [Any](), options: [.sortedKeys, .withoutEscapingSlashes])
            parameters = String(decoding: given, as: UTF8.self)
            body = Array(try JSONSerialization.data(withJSONObject: fields))
            repetition = request.repetition
            (self.request, self.port) = (request, port)
        }

        /// What the node answers: the JSON of the whole answer.
        fileprivate func forwarded() throws -> (status: Int, answer: String) {
            try NodeProxy.forward(body, request, port)
        }

        /// The JSON of the node's result, as it wrote it.
        /// - Throws: `NodeError` when the node says no.
        public func truth() throws -> String {
            let answer = try forwarded().answer
            guard answer.hasPrefix(Self.start), let end = answer.range(of: #","error":null"#, options: .backwards)
            else {
                throw NodeError(code: 0, message: answer)
            }
            return String(answer[answer.index(answer.startIndex, offsetBy: Self.start.count)..<end.lowerBound])
        }

        private static let start = #"{"result":"#
    }

    /// What is done upon a call.
    public enum Answer: Sendable {
        /// What the node says.
        case truth
        /// JSON in place of the node's result; the node is not asked.
        case result(String)
        /// An error in place of it.
        case refusal(Int, String)
        /// A whole body in place of the answers to all calls of the request.
        case body(String)
        /// Nothing, while the connection stays.
        case silence
    }

    /// Starts it.
    public init(to node: BitcoinNode, _ answer: @escaping @Sendable (Call) throws -> Answer = { _ in .truth }) throws {
        self.node = node
        let port = node.port
        http = try HTTPStandIn { request in
            do { return try Self.reply(to: request, port, answer) } catch {
                return HTTPStandIn.reply("the proxy fails: \(error)", status: 500)
            }
        }
    }

    /// Where it listens.
    public var port: UInt16 { http.port }

    /// What was asked for, in order.
    public var requests: [HTTPStandIn.Request] { http.requests }

    /// It as `--chain` takes it; with a wallet's name, that wallet.
    public func coreServer(wallet: String? = nil) -> String {
        "core:http://127.0.0.1:\(port)\(wallet.map { "/wallet/\($0)" } ?? "")?cookie=\(node.cookieFile)"
    }

    private static func reply(
        to request: HTTPStandIn.Request, _ port: UInt16, _ answer: (Call) throws -> Answer
    ) throws -> [UInt8]? {
        guard let calls = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [[String: Any]] else {
            let (status, text) = try forward(Array(request.body.utf8), request, port)
            return HTTPStandIn.reply(text, status: status)
        }
        var answers: [String] = []
        for fields in calls {
            let (call, id) = (try Call(fields, request, port), fields["id"] as? Int ?? -1)
            switch try answer(call) {
            case .truth:
                let (status, text) = try call.forwarded()
                // The node lets nobody in.
                if status == 401 || status == 403 { return HTTPStandIn.reply(text, status: status) }
                answers.append(text)
            case .result(let json): answers.append(#"{"result":\#(json),"error":null,"id":\#(id)}"#)
            case .refusal(let code, let message):
                answers.append(
                    #"{"result":null,"error":{"code":\#(code),"message":"\#(message)"},"id":\#(id)}"#)
            case .body(let text): return HTTPStandIn.reply(text)
            case .silence: return nil
            }
        }
        return HTTPStandIn.reply("[\(answers.joined(separator: ","))]")
    }

    private static func forward(
        _ body: [UInt8], _ request: HTTPStandIn.Request, _ port: UInt16
    ) throws -> (status: Int, answer: String) {
        var lines = ["\(request.method) \(request.path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
        lines += ["Content-Length: \(body.count)"]
        if let authorization = request.headers["authorization"] { lines.append("Authorization: \(authorization)") }
        let socket = try LoopbackSocket(port: port)
        try socket.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let status = try socket.readLine()?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let answer = String(decoding: try socket.readBody(), as: UTF8.self)
        return (status ?? 502, answer.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
