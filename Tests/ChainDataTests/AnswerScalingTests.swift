import ByteCodec
import TestSupport
import Testing

@testable import ChainData

/// What servers answer is read in time that grows as it does.
@Suite struct AnswerScalingTests {
    private static let id = String(repeating: "ab", count: 32)

    private func expectLinear(
        _ what: String, from start: Int = 64, upTo most: Int = 1 << 20,
        sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation) { size in
            Array(text(size).utf8)
        } work: { bytes in
            _ = try JSONValue(answer: bytes)
        }
    }

    private func list(_ size: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<size).map(element).joined(separator: ",") + "]"
    }

    /// Coins, as each of the three backends tells of them.
    @Test func coins() throws {
        try expectLinear("Esplora's coins") { size in
            list(size) {
                #"{"txid":"\#(Self.id)","vout":\#($0),"status":{"confirmed":true,"block_height":100},"value":5000}"#
            }
        }
        try expectLinear("Electrum's coins") { size in
            #"{"jsonrpc":"2.0","id":1,"result":"#
                + list(size) { #"{"tx_hash":"\#(Self.id)","tx_pos":\#($0),"height":100,"value":5000}"# } + "}"
        }
        try expectLinear("Core's coins") { size in
            #"{"result":{"success":true,"unspents":"#
                + list(size) {
                    #"{"txid":"\#(Self.id)","vout":\#($0),"scriptPubKey":"0014ab","amount":0.00005000,"height":100}"#
                } + #"},"error":null,"id":1}"#
        }
    }

    @Test func values() throws {
        try expectLinear("numbers of a list") { size in list(size) { "\($0)" } }
        try expectLinear("members of an object") { size in
            "{" + (0..<size).map { #""key\#($0)":null"# }.joined(separator: ",") + "}"
        }
        try expectLinear("answers of a batch") { size in list(size) { #"{"id":\#($0),"result":[]}"# } }
        try expectLinear("values as deep as is read") { size in
            let depth = JSONBounds().depth - 1
            return String(repeating: "[", count: depth) + list(size) { "\($0)" } + String(repeating: "]", count: depth)
        }
    }

    /// What is not read, in the words that a person reads.
    @Test func faultsHaveTheirWords() {
        for (text, fault) in [
            ("[1,]", ChainError.malformed("not JSON at offset 3")),
            (String(repeating: "[", count: 40), .malformed("JSON deeper than 32")),
            (#"{"\#(String(repeating: "x", count: 257))":1}"#, .malformed("JSON with a key longer than 256 bytes")),
            (#"{"a":1,"a":1}"#, .malformed("JSON with the same key twice")),
            ("[" + String(repeating: "1,", count: 2_000_000) + "1]", .tooLarge(limit: 2_000_000, of: .values)),
        ] {
            #expect(throws: fault) { try JSONValue(answer: Array(text.utf8)) }
        }
    }

    @Test func texts() throws {
        for (what, piece) in [
            ("letters", "abcdefgh"), ("escapes", #"\n\""#), ("characters by number", #"\u00e4\ud83d\ude00"#),
            ("accents", "a\u{301}\u{316}"),
        ] {
            try expectLinear(what) { size in "\"" + String(repeating: piece, count: size) + "\"" }
        }
        try expectLinear("white space") { size in "[" + String(repeating: " \n\t", count: size) + "]" }
        try expectLinear("digits") { size in String(repeating: "7", count: size) }
    }

    /// Letters with so many accents that they are one character.
    @Test func keysOfOneCharacter() throws {
        let key = { (size: Int) in "\"a" + String(repeating: "\u{316}\u{301}", count: size) + "\"" }
        try Scaling.expectLinear("accents of one key", from: 64) { size in
            Array("{\(key(size)):1}".utf8)
        } work: { bytes in
            #expect(throws: ChainError.malformed("JSON with a character with more than 64 accents")) {
                try JSONValue(answer: bytes)
            }
        }
        // 64 signs behind a letter are the most.
        let short = 32
        _ = try JSONValue(answer: Array("{\(key(short)):1}".utf8))
        try expectLinear("keys with as many accents as can be", from: 4) { size in
            list(size) { _ in "{\(key(short)):1}" }
        }
    }

    /// Lines come in pieces of any size.
    @Test func lines() throws {
        for piece in [1, 1_000, 65_536] {
            try Scaling.expectLinear("bytes of a line in pieces of \(piece)") { size in
                size
            } work: { size in
                var buffer = LineBuffer(longest: 1 << 26)
                var left = size
                while left > 0 {
                    let count = min(piece, left)
                    buffer.withPiece { room in for index in 0..<count { room[index] = 0x61 } }
                    let lines = try buffer.take(count)
                    #expect(lines.isEmpty)
                    left -= count
                }
            }
        }
    }
}
