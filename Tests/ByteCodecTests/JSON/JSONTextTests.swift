import ByteCodec
import Testing

@Suite struct JSONTextTests {
    private static let sample = JSONText.object([
        ("b", .array([.number(1), .string("x"), .bool(true), .null])), ("a", .object([])),
        ("c", .array([.object([("d", .number(-2))]), .array([])])), ("e", .verbatim("[1.50 ]")),
    ])

    /// Members stay in their order.
    @Test func inOneLine() {
        #expect(Self.sample.line == #"{"b":[1,"x",true,null],"a":{},"c":[{"d":-2},[]],"e":[1.50 ]}"#)
        #expect(JSONText.array([]).line == "[]")
    }

    @Test func onSeveralLines() {
        #expect(
            Self.sample.lines == """
                {
                  "b": [1, "x", true, null],
                  "a": {},
                  "c": [
                    {
                      "d": -2
                    },
                    []
                  ],
                  "e": [1.50 ]
                }

                """)
        #expect(JSONText.array([]).lines == "[]\n")
    }

    @Test func escapesWhatIsNoPlainText() throws {
        let text = "\"\\/\n\r\t\u{8}\u{1F} é😀\u{7F}\u{9F}\u{A0}\u{2028}\u{2029}"
        let line = JSONText.string(text).line
        #expect(line == #""\"\\/\n\r\t\u0008\u001f é😀\u007f\u009f\#u{A0}\u2028\u2029""#)
        #expect(try JSONReader.value(Array(line.utf8)) == .string(text))
    }

    @Test func valuesHaveTheirKeysInOrder() {
        let value = JSONValue.object(["b": .number(JSONNumber(text: "1.50")), "a": .array([.null, .bool(false)])])
        #expect(value.serialized == Array(#"{"a":[null,false],"b":1.50}"#.utf8))
    }
}
