import ByteCodec

/// A call of a Bitcoin Core method.
struct CoreCall: Sendable {
    let method: String
    let parameters: [JSONValue]

    init(_ method: String, _ parameters: [JSONValue] = []) {
        self.method = method
        self.parameters = parameters
    }

    func json(id: Int) -> JSONValue {
        .object(["id": .integer(id), "method": .string(method), "params": .array(parameters)])
    }
}

/// The node's answer to one call.
enum CoreAnswer: Sendable {
    case result(JSONValue)
    /// The node's refusal, with its number (`RPCErrorCode`).
    case refusal(code: Int64, message: ServerText)

    /// How the error starts if the wallet in the server's address is not open in the node.
    static let walletNotLoaded = "the node has not loaded this wallet"

    /// Why the same call may succeed later: the node is starting, or its wallet is scanning blocks.
    var delay: ServerText? {
        switch self {
        case .refusal(-28, let message): message
        case .refusal(-4, let message) where message.description.contains("rescanning"): message
        default: nil
        }
    }

    /// Reads one answer.
    init(_ message: JSONValue) throws(ChainError) {
        if let error = message["error"], !error.isNull {
            guard let code = error["code"]?.integer, let text = error["message"]?.string else {
                throw .malformed("an error without a code and message")
            }
            self = .refusal(code: code, message: ServerText(text))
        } else {
            self = .result(try message.required("result"))
        }
    }

    /// The result, or the refusal as an error.
    func value() throws(ChainError) -> JSONValue {
        switch self {
        case .result(let value): return value
        case .refusal(-32601, let message): throw .unsupported("the node does not know this method: \(message)")
        case .refusal(-18, let message): throw .unsupported("\(Self.walletNotLoaded): \(message)")
        case .refusal(_, let message): throw .serverError(status: nil, message: message)
        }
    }
}
