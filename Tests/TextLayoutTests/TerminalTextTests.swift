import Testing

@testable import TextLayout

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain — text, “quoted” 1 ₿", "plain — text, “quoted” 1 ₿"),
        ("\u{1B}[31mred", "�[31mred"),
        ("\u{9B}2J", "�2J"),
        ("a\rb\u{8}c\u{7}", "a�b�c�"),
        ("moc.live\u{202E}", "moc.live�"),
        ("a\u{2066}b\u{2069}", "a�b�"),
        ("zero\u{200B}width\u{FEFF}", "zero�width�"),
        ("two\u{2028}lines\u{2029}", "two�lines�"),
        ("tab\tend", "tab�end"),
    ])
    func whatDrivesATerminalIsReplaced(_ text: String, _ harmless: String) {
        #expect(TerminalText.neutralized(text) == harmless)
    }

    @Test func noTextFromOutsideEndsALine() {
        #expect(TerminalText.neutralized("a\nb\r\n") == "a�b��")
    }
}
