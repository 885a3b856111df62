import Testing
import TextLayout

/// Text that is broken to a width.
@Suite struct WrappedTextTests {
    @Test func aTextIsBrokenBetweenWords() {
        #expect(WrappedText.lines("one two three", width: 7) == ["one two", "three"])
        #expect(WrappedText.lines("one two", width: 5, first: "- ", rest: "  ") == ["- one", "  two"])
        #expect(WrappedText.lines("a verylongword b", width: 4) == ["a", "verylongword", "b"])
        #expect(WrappedText.lines("a b c", width: 5, joint: " +") == ["a b +", "c"])
        #expect(WrappedText.lines("", width: 5, first: "  ").isEmpty)
    }
}
