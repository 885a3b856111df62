import ByteCodec
import Foundation
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONReader.value(Array(text.utf8)) }

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
        #expect(try JSONReader.value(value.serialized) == value)
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
        #expect(throws: JSONFault.self) { try parse(text) }
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x00], [0x22, 0x5C],
    ])
    func refusesBytes(_ bytes: [UInt8]) {
        #expect(throws: JSONFault.self) { try JSONReader.value(bytes) }
    }

    /// Where reading stopped, for those who mend the text.
    @Test(arguments: [
        ("", 0), (" [1,]", 4), ("nul", 3), ("tru]", 3), ("01", 1), ("1.", 2), ("[] []", 3), ("{a:1}", 1),
        (#"{"a" 1}"#, 5),
        ("\"a\tb\"", 2), ("\"a", 2), (#""\x""#, 2), (#""\"#, 2), (#""\u12g4""#, 5), (#""\ud800""#, 7),
        (#""\ud800\u0041""#, 13), (#""\udc00""#, 7),
    ])
    func tellsWhereItStopped(_ text: String, _ offset: Int) {
        #expect(throws: JSONFault(.syntax, at: offset)) { try parse(text) }
    }

    @Test func refusesAKeyThatComesTwice() throws {
        #expect(throws: JSONFault(.repeatedKey, at: 13)) { try parse(#"{"a":1,"a": 1}"#) }
        #expect(throws: JSONFault(.repeatedKey, at: 17)) { try parse(#"{"a":1,"\u0061":1}"#) }
        let bytes = Array(#"[{"a":1,"a":2,"b":3,"a":4}]"#.utf8)
        let first = try JSONReader.value(bytes, repeatedKeys: .firstCounts)
        #expect(first == .array([.object(["a": .integer(1), "b": .integer(3)])]))
    }

    /// An object's members in their order, as they were written, and those that come twice, too.
    @Test func readsMembers() throws {
        let text = #" {"b" : 1.50e0 ,"a":[1, {} ],"b":"\u0041"} "#
        let members = try JSONReader.members(Array(text.utf8))
        #expect(members.map(\.key) == ["b", "a", "b"])
        #expect(members.map { String(decoding: $0.text, as: UTF8.self) } == ["1.50e0", "[1, {} ]", #""\u0041""#])
        #expect(members.map(\.value.string) == [nil, nil, "A"])
        #expect(try JSONReader.members(Array("{}".utf8)).isEmpty)
        #expect(throws: JSONFault(.noObject, at: 1)) { try JSONReader.members(Array(" [1]".utf8)) }
        #expect(throws: JSONFault(.noObject, at: 0)) { try JSONReader.members([]) }
        #expect(throws: JSONFault(.syntax, at: 2)) { try JSONReader.members(Array("{}{}".utf8)) }
        // Objects within have no key twice, unless that is asked for.
        let inner = Array(#"{"a":{"x":1,"x":2}}"#.utf8)
        #expect(throws: JSONFault(.repeatedKey, at: 17)) { try JSONReader.members(inner) }
        #expect(try JSONReader.members(inner, repeatedKeys: .firstCounts).count == 1)
    }

    @Test func boundsLength() throws {
        let bounds = JSONBounds(length: 5)
        #expect(try JSONReader.value(Array("12345".utf8), within: bounds) == .integer(12345))
        #expect(throws: JSONFault(.length, at: 5)) { try JSONReader.value(Array("12345 ".utf8), within: bounds) }
        #expect(throws: JSONFault(.length, at: 5)) { try JSONReader.members(Array("{    }".utf8), within: bounds) }
    }

    @Test func boundsDepth() throws {
        let deepest = JSONBounds().depth
        let right = String(repeating: "[", count: deepest) + "1" + String(repeating: "]", count: deepest)
        #expect(try parse(right) != .null)
        #expect(throws: JSONFault(.depth, at: deepest + 1)) { try parse("[" + right + "]") }
        let endless = Array(String(repeating: "{\"a\":", count: 1_000_000).utf8)
        #expect(throws: JSONFault(.depth, at: 5 * (deepest + 1))) {
            try JSONReader.value(endless, within: JSONBounds(length: .max))
        }
        #expect(throws: JSONFault(.depth, at: 7)) {
            try JSONReader.members(Array("{\"a\":[[1]]}".utf8), within: JSONBounds(depth: 2))
        }
    }

    @Test func boundsTheNumberOfValues() throws {
        let list = { (count: Int) in "[" + String(repeating: "1,", count: count - 1) + "1]" }
        let most = JSONBounds().valueCount
        #expect(try parse(list(most - 1)).array?.count == most - 1)
        #expect(throws: JSONFault(.valueCount, at: 2 * most - 1)) { try parse(list(most)) }
    }

    @Test func boundsKeys() throws {
        let key = { (size: Int) in "{\"\(String(repeating: "x", count: size))\":1}" }
        let longest = JSONBounds().keyLength
        #expect(try parse(key(longest)).object?.count == 1)
        #expect(throws: JSONFault(.keyLength, at: longest + 4)) { try parse(key(longest + 1)) }
    }

    /// 64 signs behind a letter are the most, in keys as in texts.
    @Test func refusesLettersWithoutEnd() throws {
        let letter = { (count: Int) in "a" + String(repeating: "\u{301}", count: count) }
        let escaped = { (count: Int) in "a" + String(repeating: #"\u0301"#, count: count) }
        for letter in [letter, escaped] {
            let text = try parse("\"\(letter(64))\"").string
            #expect(text?.unicodeScalars.count == 65)
            #expect(throws: JSONFault(.endlessLetter, at: 1)) { try parse("\"\(letter(65))\"") }
            #expect(throws: JSONFault(.endlessLetter, at: 2)) { try parse("{\"\(letter(65))\":1}") }
        }
    }

    /// Damaged text is read as Foundation's reader does, or refused; never anything else.
    @Test func survivesDamage() throws {
        var generator = SeededGenerator()
        let original = Array(
            #"{"id":12,"result":[{"tx_hash":"ab\u00e9","height":-1,"value":1.25e3},null,true,""]}"#.utf8)
        var accepted = 0
        for _ in 0..<5_000 {
            let damaged = generator.damaged(original)
            guard let value = try? JSONReader.value(damaged) else { continue }
            accepted += 1
            #expect(try JSONReader.value(value.serialized) == value)
            #expect((try? JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)) != nil)
        }
        #expect(accepted > 0)
    }
}
