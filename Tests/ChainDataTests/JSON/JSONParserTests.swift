import Foundation
import TestSupport
import Testing

@testable import ChainData

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("false", .bool(false)),
        ("\t-0\n", .number(JSONNumber(text: "-0"))),
        ("1.50e+3", .number(JSONNumber(text: "1.50e+3"))), (#""""#, .string("")), (#""aé€😀""#, .string("aé€😀")),
        (#""\u00e9\u20AC\ud83d\ude00\"\\\/\b\f\n\r\t""#, .string("é€😀\"\\/\u{8}\u{c}\n\r\t")), ("[]", .array([])),
        ("{}", .object([:])), ("[1 , [ ] ]", .array([.integer(1), .array([])])),
        (#"{"a" : {"b":null}, "": 2}"#, .object(["a": .object(["b": .null]), "": .integer(2)])),
    ])
    func reads(_ text: String, _ value: JSONValue) throws {
        #expect(try parse(text) == value)
        #expect(try JSONParser.parse(value.serialized) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "01", "-", "1.", ".5", "+1", "1e", "1e+", "0x1", "NaN", "Infinity", "\"",
        "\"\\x\"",
        "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "\"\u{1}\"", "[",
        "[1", "[1,",
        "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}",
        "1 2",
        "[] []", "// x\n1", "\u{FEFF}1", "'a'",
    ])
    func refuses(_ text: String) throws {
        #expect(throws: JSONParser.Failure.self) { try parse(text) }
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x00], [0x22, 0x5C],
    ])
    func refusesBytes(_ bytes: [UInt8]) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(bytes) }
    }

    @Test func refusesAKeyThatComesTwice() {
        #expect(throws: JSONParser.Failure.duplicateKey(offset: 13)) { try parse(#"{"a":1,"a": 1}"#) }
        #expect(throws: JSONParser.Failure.duplicateKey(offset: 17)) { try parse(#"{"a":1,"\u0061":1}"#) }
    }

    @Test func boundsDepth() throws {
        let deepest = JSONParser.deepest
        let right = String(repeating: "[", count: deepest) + "1" + String(repeating: "]", count: deepest)
        #expect(try parse(right) != .null)
        #expect(throws: JSONParser.Failure.depth) { try parse("[" + right + "]") }
        #expect(throws: JSONParser.Failure.depth) { try parse(String(repeating: "{\"a\":", count: 1_000_000)) }
    }

    @Test func boundsTheNumberOfValues() {
        let many = "[" + String(repeating: "1,", count: JSONParser.mostValues) + "1]"
        #expect(throws: JSONParser.Failure.count) { try parse(many) }
    }

    /// Damaged text is read as Foundation's reader does, or refused; never anything else.
    @Test func survivesDamage() throws {
        var generator = SeededGenerator()
        let original = Array(
            #"{"id":12,"result":[{"tx_hash":"ab\u00e9","height":-1,"value":1.25e3},null,true,""]}"#.utf8)
        var accepted = 0
        for _ in 0..<5_000 {
            let damaged = generator.damaged(original)
            guard let value = try? JSONParser.parse(damaged) else { continue }
            accepted += 1
            #expect(try JSONParser.parse(value.serialized) == value)
            #expect((try? JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)) != nil)
        }
        #expect(accepted > 0)
    }
}
