import ByteCodec

/// A method's parameter, as it is described.
protocol ParameterDescription: Sendable {
    var name: String { get }
    /// What it is, for people.
    var summary: String { get }
    var isRequired: Bool { get }
    /// What its values are. Spec: JSON Schema, draft 7.
    var schema: JSONText { get }
}

/// A method's parameter, with the type of its values.
struct Parameter<Value: Sendable>: ParameterDescription {
    let name: String
    let summary: String
    let isRequired: Bool
    let schema: JSONText
    /// What a value must be, after “must be”.
    let expectation: String
    /// `nil` for what is not a value of this parameter.
    let read: @Sendable (JSONValue) -> Value?

    /// The same, without which a method does not start.
    var required: Parameter<Value> {
        Parameter(
            name: name, summary: summary, isRequired: true, schema: schema, expectation: expectation, read: read)
    }
}

extension Parameter<String> {
    static func text(_ name: String, _ summary: String) -> Self {
        Self(
            name: name, summary: summary, isRequired: false, schema: .object([("type", .string("string"))]),
            expectation: "a string"
        ) { $0.string }
    }

    /// One of several words.
    static func word(_ name: String, _ words: [String], _ summary: String) -> Self {
        Self(
            name: name, summary: summary, isRequired: false,
            schema: .object([("type", .string("string")), ("enum", .array(words.map { .string($0) }))]),
            expectation: "one of " + words.joined(separator: ", ")
        ) { value in value.string.flatMap { words.contains($0) ? $0 : nil } }
    }
}

extension Parameter<Int> {
    static func number(_ name: String, _ range: ClosedRange<Int>, _ summary: String) -> Self {
        Self(
            name: name, summary: summary, isRequired: false,
            schema: .object([
                ("type", .string("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ]), expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { value in value.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Parameter<Bool> {
    static func flag(_ name: String, _ summary: String) -> Self {
        Self(
            name: name, summary: summary, isRequired: false, schema: .object([("type", .string("boolean"))]),
            expectation: "true or false"
        ) { $0.bool }
    }
}

extension Parameter<[String]> {
    static func texts(_ name: String, _ summary: String) -> Self {
        Self(
            name: name, summary: summary, isRequired: false,
            schema: .object([
                ("type", .string("array")), ("items", .object([("type", .string("string"))])),
            ]), expectation: "an array of strings"
        ) { value in
            guard let texts = value.array?.map(\.string), !texts.contains(nil) else { return nil }
            return texts.compactMap(\.self)
        }
    }
}
