import ByteCodec

/// Messages as the service sends them: each is one line.
enum RPCText {
    private static let version: JSONText.Member = ("jsonrpc", .string("2.0"))

    /// The answer to a call.
    static func answer(_ outcome: Result<ServiceAnswer, RPCFault>, to id: RPCIdentifier) -> JSONText {
        switch outcome {
        case .success(let answer): .object([version, ("id", id.json), ("result", answer.json)])
        case .failure(let fault): .object([version, ("id", id.json), ("error", fault.json)])
        }
    }

    /// What a client is told without having to answer.
    static func notification(_ method: String, _ params: JSONText) -> JSONText {
        .object([version, ("method", .string(method)), ("params", params)])
    }

    /// What a client is asked.
    static func question(_ id: RPCIdentifier, _ method: String, _ params: JSONText) -> JSONText {
        .object([version, ("id", id.json), ("method", .string(method)), ("params", params)])
    }
}

extension JSONText {
    /// As a line of its own.
    var framed: [UInt8] { Array((line + "\n").utf8) }
}
