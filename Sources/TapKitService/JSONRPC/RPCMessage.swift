import ByteCodec

/// A call of a method.
///
/// Spec: JSON-RPC 2.0, "Request object", "Notification".
package struct RPCCall: Sendable, Equatable {
    /// How arguments are given.
    package enum Arguments: Sendable, Equatable {
        /// In the order of the method's parameters.
        case positional([JSONValue])
        /// By the parameters' names.
        case named([String: JSONValue])
    }

    /// `nil`: a notification, which is not answered.
    package let id: RPCIdentifier?
    /// The method's name.
    package let method: String
    /// What it is called with; empty if the caller left it out.
    package let arguments: Arguments
}

/// A client's answer to a question of the service.
package struct RPCAnswer: Sendable {
    /// The question's.
    package let id: RPCIdentifier
    /// The result, or the client's message why there is none.
    package let result: JSONValue?
}

/// One message of a line: a call, an answer, or what is neither.
package enum RPCMessage: Sendable {
    case call(RPCCall)
    case answer(RPCAnswer)
    /// - `id`: the identifier, if it could be read.
    case invalid(RPCFault, id: RPCIdentifier)

    /// Spec: JSON-RPC 2.0, "Request object", "Response object". Members that it does not name are refused, as they may
    /// be parameters in the wrong place.
    init(_ value: JSONValue) {
        guard case .object(let members) = value else {
            self = .invalid(RPCFault(.invalidRequest, "A call is an object."), id: .null)
            return
        }
        let id = members["id"].map { RPCIdentifier($0) }
        func invalid(_ message: String) -> RPCMessage {
            .invalid(RPCFault(.invalidRequest, message), id: (id ?? .null) ?? .null)
        }
        if case .some(nil) = id {
            self = invalid("The member id must be a string, a whole number within 64 bits, or null.")
        } else if members["jsonrpc"] != .string("2.0") {
            self = invalid("The member jsonrpc must be \"2.0\".")
        } else if members["method"] == nil, members["result"] != nil || members["error"] != nil {
            guard let id = id.flatMap({ $0 }), (members["result"] == nil) != (members["error"] == nil) else {
                self = invalid("An answer has an id, and either a result or an error.")
                return
            }
            self = .answer(RPCAnswer(id: id, result: members["result"]))
        } else if let other = members.keys.sorted().first(where: { !Self.names.contains($0) }) {
            self = invalid("A call has no member \(JSONText.string(other).line).")
        } else if case .string(let method)? = members["method"] {
            switch members["params"] {
            case nil: self = .call(RPCCall(id: id ?? nil, method: method, arguments: .named([:])))
            case .array(let values)?:
                self = .call(RPCCall(id: id ?? nil, method: method, arguments: .positional(values)))
            case .object(let values)?: self = .call(RPCCall(id: id ?? nil, method: method, arguments: .named(values)))
            default: self = invalid("The member params must be an object or an array.")
            }
        } else {
            self = invalid("The member method must be a string.")
        }
    }

    private static let names: Set = ["jsonrpc", "id", "method", "params"]
}
