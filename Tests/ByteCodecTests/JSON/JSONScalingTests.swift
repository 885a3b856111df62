import ByteCodec
import TestSupport
import Testing

/// JSON is read and written in time that grows as the text does.
@Suite struct JSONScalingTests {
    private static let everything = JSONBounds(length: .max, keyLength: .max, valueCount: .max)

    private func expectLinear(
        _ what: String, from start: Int = 64, upTo most: Int = 1 << 20,
        sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation) { size in
            Array(text(size).utf8)
        } work: { bytes in
            let value = try JSONReader.value(bytes, within: Self.everything)
            #expect(!value.serialized.isEmpty)
        }
    }

    @Test func values() throws {
        try expectLinear("elements of an array") { size in
            "[" + (0..<size).map { "\($0)" }.joined(separator: ",") + "]"
        }
        try expectLinear("members of an object") { size in
            "{" + (0..<size).map { #""key\#($0)":null"# }.joined(separator: ",") + "}"
        }
        try expectLinear("letters of a key") { size in "{\"" + String(repeating: "x", count: size) + "\":1}" }
        try Scaling.expectLinear("members as they were written", from: 64) { size in
            Array(("{" + (0..<size).map { #""a": [\#($0)]"# }.joined(separator: ",") + "}").utf8)
        } work: { bytes in
            let members = try JSONReader.members(bytes, within: Self.everything)
            #expect(!members.isEmpty)
        }
    }

    /// Letters with so many accents that they are one character.
    @Test func accents() throws {
        let key = { (size: Int) in "\"a" + String(repeating: "\u{316}\u{301}", count: size) + "\"" }
        try Scaling.expectLinear("accents of one key", from: 64) { size in
            Array("{\(key(size)):1}".utf8)
        } work: { bytes in
            #expect(throws: JSONFault(.endlessLetter, at: 2)) {
                try JSONReader.value(bytes, within: Self.everything)
            }
        }
    }

    @Test func numbers() throws {
        try Scaling.expectLinear("digits of an amount") { size in
            JSONNumber(text: "0." + String(repeating: "0", count: size))
        } work: { number in
            #expect(number.scaled(byPowerOfTen: 8) == (number.text.utf8.count <= 100 ? 0 : nil))
        }
    }
}
