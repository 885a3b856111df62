import FoundationEssentials

/// What the program writes for itself and for other programs as JSON: keys in alphabetical order, so that the same values always
/// are the same text, and slashes without a backslash.
package enum JSONDocument {
    /// How a property's name becomes a key.
    package enum Keys: Sendable {
        /// As it is.
        case asNamed
        /// `feeSat` becomes `fee_sat`.
        case snakeCase
    }

    /// How the text is laid out.
    package enum Layout: Sendable {
        /// For programs: in one line, without a line end.
        case line
        /// For people, who may change it: a line for each member, the last one ended, too.
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

    /// What a front end answers to programs: in one line, keys in snake case, `nil` left out.
    /// - Parameter answer: strings, integers, booleans, arrays and objects of these, all of which can be written.
    package static func answer(_ answer: some Encodable) -> String { (try? text(answer, keys: .snakeCase)) ?? "{}" }

    /// Reads a text of the program's own, or one that a person wrote for it: more leniently than `JSONReader`, which is for
    /// whatever comes from elsewhere. Keys are taken as they are; of two that are the same, the first counts.
    /// - Throws: what `Decodable` throws, which may quote the text.
    package static func value<Value: Decodable>(_ type: Value.Type = Value.self, of bytes: some Sequence<UInt8>) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
