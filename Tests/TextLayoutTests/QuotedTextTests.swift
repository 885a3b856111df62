import Testing
import TextLayout

/// Texts from outside as blocks.
@Suite struct QuotedTextTests {
    @Test(arguments: [1, 20, 40, 80, 213]) func noLineIsLongEnoughToBeBroken(_ width: Int) {
        let text = String(repeating: "漢字 e\u{301} ", count: 60)
        let lines = QuotedText(text, width: width).lines
        #expect(lines.map { $0.unicodeScalars.dropFirst(4).map(String.init).joined() }.joined() == text)
        let limit = max(16, (width - 4) / 2)
        #expect(lines.allSatisfy { $0.hasPrefix("  |") && $0.unicodeScalars.count <= limit + 4 })
    }

    @Test func aLineEndIsMadeVisible() {
        #expect(QuotedText("a\nb\u{2028}c\r\n", width: 80).lines == ["  | a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}"])
        #expect(QuotedText("", width: 80).lines == ["  | "])
    }
}
