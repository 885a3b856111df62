import ByteCodec

/// What tells a call's answer from others: given by the caller, and returned as it was written.
///
/// Spec: JSON-RPC 2.0, "Request object".
package enum RPCIdentifier: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number within 64 bits.
    case number(Int64)
    /// Nothing: of an error in a message whose identifier cannot be read.
    case null

    /// `nil` for what is not an identifier: fractions, booleans, arrays and objects.
    init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .null: self = .null
        default:
            guard let number = value.integer else { return nil }
            self = .number(number)
        }
    }

    /// As it is written in a message.
    var json: JSONText {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .null: .null
        }
    }
}
