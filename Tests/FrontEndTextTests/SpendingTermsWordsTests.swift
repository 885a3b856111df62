import Bitcoin
import FrontEndText
import Testing

@testable import TapManager

/// Who can spend, in words.
@Suite struct SpendingTermsWordsTests {
    private static let (first, second) = (Fingerprint([1, 1, 1, 1]), Fingerprint([2, 2, 2, 2]))

    /// A holder can have several keys, and a card that has proven its key a name.
    @Test(arguments: [
        (2, [.holder(first), .holder(second)], "01010101 and 02020202"),
        (1, [.holder(first), .card(second, name: "Anna")], "1 of 01010101, 02020202 “Anna”"),
        (1, [.holder(first), .holder(first)], "1 of 01010101 (2 keys)"),
        (2, [.holder(first), .holder(first)], "01010101 (2 keys)"),
        (2, [.holder(first), .holder(second), .holder(first)], "2 of 01010101 (2 keys), 02020202"),
        // Not every key with the card's fingerprint is proven.
        (2, [.card(first, name: "Anna"), .holder(first)], "01010101 “Anna” and 01010101"),
    ] as [(Int, [SpendingTerms.Key], String)])
    func keysAreNamed(_ threshold: Int, _ keys: [SpendingTerms.Key], _ words: String) {
        #expect(SpendingTerms(.init(threshold: threshold, keys: keys)).words == words)
    }

    @Test(arguments: [
        (1_144, 1_800_000_000, "block 1144, about 2027-01-15"), (1_144, nil, "block 1144"),
        (nil, 1_800_000_000, "about 2027-01-15"), (nil, nil, nil),
    ] as [(Int?, Int64?, String?)])
    func anOpeningIsABlockAndADate(_ block: Int?, _ time: Int64?, _ words: String?) {
        #expect(LockOpening(block: block, time: time.map { UnixTime(seconds: $0) }).words == words)
    }
}
