import Bitcoin
import ByteCodec

/// A call of an Electrum protocol method.
struct ElectrumRequest: Sendable {
    let method: String
    let parameters: [JSONValue]

    /// The call as JSON-RPC 2.0.
    func json(id: Int) -> JSONValue {
        .object([
            "jsonrpc": .string("2.0"), "id": .integer(id), "method": .string(method), "params": .array(parameters),
        ])
    }
}

/// The server's answer to one call.
enum ElectrumAnswer: Sendable {
    case result(JSONValue)
    /// The server's refusal.
    case refusal(code: Int64?, message: ServerText)

    /// The result, or the refusal as an error.
    func value() throws(ChainError) -> JSONValue {
        switch self {
        case .result(let value): return value
        case .refusal(let code, let message): throw Self.error(code, message)
        }
    }

    /// ElectrumX uses -101 and -102 for "excessive resource usage" and "server busy".
    private static func error(_ code: Int64?, _ message: ServerText) -> ChainError {
        switch code {
        case -101, -102: .rateLimited(retryAfter: nil)
        case -32601: .unsupported("the Electrum server does not know this method: \(message)")
        default: .serverError(status: nil, message: message)
        }
    }
}

extension Script {
    /// The id of a script on Electrum servers: its SHA-256, byte-reversed, in hexadecimal.
    ///
    /// Spec: Electrum protocol, "Script hashes".
    var electrumHash: String { Hex.encode(SHA256.hash(bytes).reversed()) }
}
