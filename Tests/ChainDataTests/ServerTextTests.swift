import Testing

@testable import ChainData

@Suite struct ServerTextTests {
    @Test(arguments: [
        ("plain text", "plain text"), ("", ""), ("  a \t b\r\n\r\nc ", "a b c"), ("\u{1B}[31mred\u{7}", "[31mred"),
        ("a\u{202E}b\u{2066}c\u{200B}d\u{FEFF}", "a b c d"), ("\u{85}\u{9B}x\u{2028}y", "x y"),
        ("Zürich ✓ 😀", "Zürich ✓ 😀"),
    ])
    func showsNothingThatSteersATerminal(_ text: String, _ shown: String) {
        #expect(ServerText(text).description == shown)
    }

    @Test func isBounded() {
        let text = ServerText(String(repeating: "ä", count: 1_000)).description
        #expect(text == String(repeating: "ä", count: 300) + "…")
        #expect(ServerText(bytes: [UInt8](repeating: 0xFF, count: 100_000)).description.count == 301)
        #expect(ServerText(String(repeating: "a\u{301}", count: 1_000)).description.unicodeScalars.count == 301)
    }
}
