import FoundationEssentials

/// Answers for programs, as every front end writes them.
package enum JSONText {
    /// A value in one line: keys in snake case and in alphabetical order, `nil` left out.
    package static func line(_ answer: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Answers hold strings, integers, booleans and arrays of these, all of which can be encoded.
        guard let data = try? encoder.encode(answer) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
