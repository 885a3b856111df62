import Testing

@testable import ByteCodec

/// Which texts are no writing.
@Suite struct EndlessLettersTests {
    @Test(arguments: [
        "", "abc", "Grüße, naïve façade", "Z\u{301}\u{316}\u{323}a", "שָׁלוֹם", "नमस्ते दुनिया", "สวัสดีชาวโลก", "👨‍👩‍👧‍👦 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "🇦🇹🇩🇪🇨🇭🇫🇷🇮🇹", String(repeating: "a\u{301}", count: 10_000), String(repeating: "語", count: 10_000),
    ])
    func writingIsTaken(_ text: String) {
        #expect(!text.hasEndlessLetter)
    }

    @Test(arguments: [
        "\u{301}", "\u{316}\u{301}", "\u{1F1E6}\u{1F1F9}", "\u{200D}", "\u{903}", "\u{FE0F}", "\u{E0061}",
    ])
    func aLetterWithoutEndIsFound(_ piece: String) {
        for start in ["", "a", "long text before it, "] {
            #expect((start + String(repeating: piece, count: 65) + "z").hasEndlessLetter)
            #expect(!(start + String(piece.unicodeScalars.prefix(1)) + "z").hasEndlessLetter)
        }
    }

    /// 64 signs behind a letter are the most.
    @Test func theBound() {
        #expect(!("a" + String(repeating: "\u{301}", count: 64)).hasEndlessLetter)
        #expect(("a" + String(repeating: "\u{301}", count: 65)).hasEndlessLetter)
    }
}
