import Foundation

/// What the node says when it does not do what is asked.
public struct NodeError: Error, Equatable, CustomStringConvertible {
    /// Core's number, such as -26 for a transaction that is against a rule; 0 when the node itself did not answer.
    public let code: Int
    /// Core's words.
    public let message: String

    /// An error, for what stands in a node's place.
    public init(code: Int, message: String) { (self.code, self.message) = (code, message) }

    /// Both.
    public var description: String { "\(code): \(message)" }
}

/// JSON-RPC.
extension BitcoinNode {
    /// Calls a method.
    /// - Parameters:
    ///   - parameters: values that JSON has; amounts best as texts, `"0.00012345"`. A dictionary alone names them.
    ///   - wallet: the wallet that is asked; `nil`: none.
    /// - Returns: the result as `JSONSerialization` reads it; `NSNull` where there is none.
    /// - Throws: `NodeError` for what the node says no to.
    @discardableResult
    public func call(_ method: String, _ parameters: Any..., wallet: String? = nil) async throws -> Any {
        let body = try Self.request(method, parameters, 0)
        let answer = try JSONSerialization.jsonObject(
            with: Data(try await post(body, wallet: wallet)), options: .fragmentsAllowed)
        return try Self.result(answer)
    }

    /// Calls a method that answers with a certain type: `String`, `Int`, `[String: Any]`, …
    public func call<Result>(
        _ method: String, _ parameters: Any..., wallet: String? = nil, as type: Result.Type
    ) async throws -> Result {
        let body = try Self.request(method, parameters, 0)
        let answer = try JSONSerialization.jsonObject(
            with: Data(try await post(body, wallet: wallet)), options: .fragmentsAllowed)
        guard let result = try Self.result(answer) as? Result else {
            throw NodeError(code: 0, message: "\(method) answers with no \(type)")
        }
        return result
    }

    /// Calls a method once for each list of parameters, in one request.
    /// - Returns: the results in order; `NodeError` where it says no.
    public func calls(_ method: String, _ parameters: [[Any]], wallet: String? = nil) async throws -> [Any] {
        if parameters.isEmpty { return [] }
        let texts = try parameters.enumerated().map {
            String(decoding: try Self.request(method, $1, $0), as: UTF8.self)
        }
        let body = Array("[\(texts.joined(separator: ","))]".utf8)
        let json = try JSONSerialization.jsonObject(with: Data(try await post(body, wallet: wallet)))
        guard let answers = json as? [[String: Any]] else { return [try Self.result(json)] }
        let ordered = answers.sorted { ($0["id"] as? Int ?? 0) < ($1["id"] as? Int ?? 0) }
        return ordered.map { answer in
            do { return try Self.result(answer) } catch { return error }
        }
    }

    private static func request(_ method: String, _ parameters: [Any], _ id: Int) throws -> [UInt8] {
        let named = parameters.count == 1 ? parameters[0] as? [String: Any] : nil
        let given: Any = named.map { $0 as Any } ?? parameters
        return Array(
            try JSONSerialization.data(withJSONObject: ["jsonrpc": "1.0", "method": method, "params": given, "id": id]))
    }

    private static func result(_ answer: Any) throws -> Any {
        guard let answer = answer as? [String: Any], let result = answer["result"] else {
            throw NodeError(code: 0, message: "No answer: \(answer)")
        }
        if let error = answer["error"] as? [String: Any] {
            throw NodeError(code: error["code"] as? Int ?? 0, message: error["message"] as? String ?? "")
        }
        return result
    }

    /// What it answers to the body of a request, whatever that is.
    public func post(_ body: [UInt8], wallet: String? = nil) async throws -> [UInt8] {
        let path = wallet.map { "/wallet/\($0)" } ?? "/"
        var lines = ["POST \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Length: \(body.count)"]
        lines.append("Authorization: Basic \(Data(try cookie().utf8).base64EncodedString())")
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        return try await BlockingThread.run { [port] in
            let socket = try LoopbackSocket(port: port)
            try socket.write(request)
            return try socket.readBody()
        }
    }
}
