import Testing

@testable import TapKitHWI

/// Lines taken apart as Python's `shlex` does, whose answers stand here.
@Suite struct ShellWordsTests {
    @Test(arguments: [
        ("", []), ("  \t ", []), ("signtx abc=", ["signtx", "abc="]),
        (#"signtx "cHNi dP8=""#, ["signtx", "cHNi dP8="]),
        (#"a'b c'd"#, ["ab cd"]), (#"'' """#, ["", ""]), (#"a\ b"#, ["a b"]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]),
        (#"'a\'"#, [#"a\"#]), ("84'/1'/0 x", ["84/1/0", "x"]), ("# x", ["#", "x"]),
    ])
    func words(_ line: String, _ wanted: [String]) throws {
        let words = try ShellWords.split(Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(words == wanted)
    }

    @Test(arguments: ["'a", "\"a", "a\\", "\"a\\"]) func openEnds(_ line: String) {
        #expect(throws: ShellWords.Unterminated.self) { try ShellWords.split(Array(line.utf8)) }
    }
}
