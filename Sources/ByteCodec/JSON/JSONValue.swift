/// A JSON value. Numbers keep their text, so that none passes through floating point.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

/// The content; `nil` when the value is of another kind.
extension JSONValue {
    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(text: String(value))) }

    package var isNull: Bool { self == .null }

    /// A member of an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var number: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// A number written without point and exponent, within 64 bits.
    package var integer: Int64? { number?.integer }

    package var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
