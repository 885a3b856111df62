import FrontEndText
import TapManager
import Testing

/// How long blocks take, in words.
@Suite struct SpendingTimeTests {
    @Test(arguments: [
        (1, "about 10 minutes"), (8, "about 80 minutes"), (9, "about 2 hours"), (144, "about 24 hours"),
        (288, "about 2 days"), (52_560, "about 365 days"),
    ]) func blocksTakeAboutSoLong(_ count: Int, _ words: String) {
        #expect(SpendingTerms.time(ofBlocks: count) == words)
    }
}
