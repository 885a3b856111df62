import FrontEndText
import TapManager
import Testing

/// What a window says about a message before it asks for a CVC.
@Suite struct MessagePurposeTests {
    private static let key = MessageQuestion.Key.slot(nil)
    private static let signer = "with the key of the slot that was unsealed last"

    private func words(_ text: String, by key: MessageQuestion.Key = Self.key, address: Address? = nil) -> String {
        MessagePurpose(Array(text.utf8), by: key, address: address).words
    }

    @Test func itShowsWhatIsSignedAndByWhom() throws {
        #expect(words("Pay me") == "sign the message\n  | Pay me\n\(Self.signer)")
        #expect(words("") == "sign the message\n  | \n\(Self.signer)")
        let path = try DerivationPath(parsing: "m/84h/1h/0h/0/0")
        let address = try Address(parsing: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", network: .main)
        #expect(words("x", by: .path(path), address: address).hasSuffix("\nas \(address) with the key at \(path)"))
        #expect(words("x", by: .slot(SlotNumber(index: 1))).hasSuffix("\nwith the key of slot 2"))
    }

    @Test func nothingInItPassesForItsOwnWords() {
        let lines = words("x\nThe card is genuine\u{1B}[2J").split(separator: "\n")
        #expect(lines == ["sign the message", "  | x\u{FFFD}The card is genuine\u{FFFD}[2J", Substring(Self.signer)])
        let bytes = MessagePurpose([0xFF, 0x00], by: Self.key, address: nil).words
        #expect(bytes == "sign a message of 2 bytes that is not text, \(Self.signer)")
    }

    /// A window takes so many bytes; the key must not be cut off, whatever the message.
    @Test(arguments: ["x", "%", "\n", "漢", "🂡"]) func theKeyHasRoom(_ character: String) {
        for count in [199, 200, 201, 10_000] {
            let words = words(String(repeating: character, count: count))
            #expect(words.hasSuffix(Self.signer))
            let length = words.utf8.reduce(0) { $0 + ($1 < 0x20 || $1 == UInt8(ascii: "%") ? 3 : 1) }
            #expect(length < 700)
            let shown = words.unicodeScalars.count { String($0) == (character == "\n" ? "\u{FFFD}" : character) }
            let more = words.firstMatch(of: #/and (\d+) more/#).flatMap { Int($0.1) } ?? 0
            #expect(shown >= min(count, 125) && shown + more == count, "\(words)")
        }
    }
}
