import FoundationEssentials

/// JSON that the program writes for itself and for other programs: keys in alphabetical order, so that equal values
/// always give the same text, and slashes without a backslash.
package enum JSONDocument {
    /// How a property's name becomes a key.
    package enum Keys: Sendable {
        /// Unchanged.
        case asNamed
        /// `feeSat` becomes `fee_sat`.
        case snakeCase
    }

    /// How the text is laid out.
    package enum Layout: Sendable {
        /// For programs: on one line, without a newline at the end.
        case line
        /// For people, who may edit it: one line for each member, and a newline at the end.
        case lines
    }

    /// The text of a value.
    /// - Throws: what `Encodable` throws; nothing for strings, integers, booleans, and arrays and objects of these.
    package static func text(_ value: some Encodable, keys: Keys, _ layout: Layout = .line) throws -> String {
        let encoder = JSONEncoder()
        if keys == .snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if layout == .lines { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self) + (layout == .lines ? "\n" : "")
    }

    /// A front end's answer to programs: on one line, keys in snake case, `nil` left out.
    /// - Parameter answer: strings, integers, booleans, arrays and objects of these, which can always be encoded.
    package static func answer(_ answer: some Encodable) -> String { (try? text(answer, keys: .snakeCase)) ?? "{}" }

    /// Reads a text that the program, or a person for it, has written. More lenient than `JSONReader`, which is for
    /// everything from outside. Keys are taken unchanged; if one appears twice, the first counts.
    /// - Throws: what `Decodable` throws, which may quote the text.
    package static func value<Value: Decodable>(_ type: Value.Type = Value.self, of bytes: some Sequence<UInt8>) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
