/// A JSON value. Numbers stay as they were written, so that money never passes through a floating point number.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    var isNull: Bool { self == .null }

    /// A member of an object.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    var number: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// A number written without point and exponent, within 64 bits.
    var integer: Int64? { number?.integer }

    var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
