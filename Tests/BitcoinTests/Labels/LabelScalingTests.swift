import Bitcoin
import TestSupport
import Testing

/// Files of labels are read in time that grows as they do.
@Suite struct LabelScalingTests {
    private static let id = String(repeating: "ab", count: 32)

    private func expectLinear(
        _ what: String, upTo most: Int = 1 << 20, sourceLocation: SourceLocation = #_sourceLocation,
        _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, upTo: most, sourceLocation: sourceLocation) { size in
            Array(text(size).utf8)
        } work: { bytes in
            _ = try LabelFile(parsing: bytes)
        }
    }

    @Test func lines() throws {
        try expectLinear("lines") { size in
            String(repeating: #"{"type":"tx","ref":"\#(Self.id)","label":"rent"}"# + "\n", count: size)
        }
        try expectLinear("lines that are ignored") { size in
            String(repeating: #"{"type":"new","ref":"x"}"# + "\n", count: size)
        }
        try expectLinear("empty lines") { size in String(repeating: "\r\n", count: size / 2) }
    }

    @Test func aLine() throws {
        let head = #"{"type":"addr","ref":"x","#
        try expectLinear("fields of a line", upTo: 4_000) { size in
            head + (0..<size).map { #""f\#($0)":1"# }.joined(separator: ",") + "}"
        }
        try expectLinear("letters of a label", upTo: 60_000) { size in
            head + #""label":""# + String(repeating: "é", count: size / 2) + #""}"#
        }
        try expectLinear("elements of a field", upTo: 30_000) { size in
            head + #""more":[1"# + String(repeating: ",1", count: size) + "]}"
        }
    }

    /// Letters with ever more accents are refused, in a label as in a field's name or deep in a field.
    @Test func accents() throws {
        let letter = { (size: Int) in "\"type" + String(repeating: "\u{316}\u{301}", count: size) + "\"" }
        let head = #"{"type":"addr","ref":"x","#
        for (what, line) in [
            ("label", { head + #""label":"# + letter($0) + "}" }), ("field's name", { head + letter($0) + ":1}" }),
            ("field", { head + #""more":[{"a":"# + letter($0) + "}]}" }),
        ] as [(String, (Int) -> String)] {
            try Scaling.expectLinear("accents of a \(what)", upTo: 12_000) { size in
                Array(line(max(size, 33)).utf8)
            } work: { bytes in
                #expect(throws: LabelFileError.line(1, .endlessLetter)) { try LabelFile(parsing: bytes) }
            }
        }
    }

    /// More lines than are read are not even told apart.
    @Test func tooManyLines() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: LabelFile.maximumLineCount)
        #expect(throws: Never.self) { try LabelFile(parsing: bytes) }
        let most = LabelFile.maximumLineCount
        try Scaling.expectLinear("lines that are too many", from: most + 1, upTo: 1 << 21) { size in
            [UInt8](repeating: UInt8(ascii: "\n"), count: size)
        } work: { bytes in
            #expect(throws: LabelFileError.tooManyLines(limit: most)) { try LabelFile(parsing: bytes) }
        }
    }
}
