import Bitcoin
import FrontEndText
import Testing

@testable import TapManager

/// Who can spend, in words.
@Suite struct SpendingTermsWordsTests {
    /// A holder's key, or that of a card of this name.
    private static func key(_ holder: UInt8, _ name: String? = nil) -> SpendingTerms.Key {
        guard let fingerprint = Fingerprint([holder, holder, holder, holder]) else { return .bytes([]) }
        return name.map { .card(fingerprint, name: $0) } ?? .holder(fingerprint)
    }

    private static func labelled(_ holder: UInt8, _ label: String) -> SpendingTerms.Key {
        .labelled(key(holder), label: label)
    }

    /// A holder can have several keys, and a card that has proven its key a name.
    @Test(
        arguments: [
            (2, [key(1), key(2)], "01010101 and 02020202"),
            (1, [key(1), key(2, "Anna")], "1 of 01010101, 02020202 “Anna”"),
            (1, [key(1), labelled(2, "Ben")], "1 of 01010101, 02020202 labelled “Ben”"),
            (1, [key(1), key(1)], "1 of 01010101 (2 keys)"),
            (2, [key(1), key(1)], "01010101 (2 keys)"),
            (2, [key(1), key(2), key(1)], "2 of 01010101 (2 keys), 02020202"),
            // Not every key with the card's fingerprint is proven.
            (2, [key(1, "Anna"), key(1)], "01010101 “Anna” and 01010101"),
        ] as [(Int, [SpendingTerms.Key], String)])
    func keysAreNamed(_ threshold: Int, _ keys: [SpendingTerms.Key], _ words: String) {
        #expect(SpendingTerms(.init(threshold: threshold, keys: keys)).words == words)
    }

    /// Where there are too many paths to list each, one says everything that its locks open, and the locks are for all of it.
    @Test func choicesAreNested() throws {
        typealias Policy = SpendingPolicy<SpendingTerms.Key>
        let keys = (1...16).map { Policy.key(Self.key($0)) }
        let pairs = (0..<7).map { pair in
            let late = Policy.threshold(2, [keys[2 * pair + 1], .older(9)])
            return Policy.threshold(1, [keys[2 * pair], late])
        }
        func words(_ threshold: Int, _ parts: [Policy]) throws -> [String] {
            try #require(SpendingPolicy.threshold(threshold, parts).listedPaths).map { path in
                #expect(path.choice != nil)
                return SpendingTerms(path) { $0 }.words
            }
        }
        let blocks = "9 blocks (about 2 hours) after the coin was confirmed"
        let few = try words(3, pairs)
        #expect(few[0] == "3 of 01010101, 03030303, 05050505, 07070707, 09090909, 0b0b0b0b, 0d0d0d0d")
        #expect(few[1].hasPrefix("(3 of (01010101 or 02020202), (03030303 or 04040404), "))
        #expect(few[1].hasSuffix(", (0d0d0d0d or 0e0e0e0e)), \(blocks)"))
        let all = try words(8, pairs + [keys[14]])
        #expect(all[1].hasPrefix("(01010101 or 02020202) and ") && all[1].hasSuffix(" and 0f0f0f0f, \(blocks)"))
        let hash = SpendingPolicy<SpendingTerms.Key>.preimage(.sha256, [UInt8](repeating: 0xAB, count: 32))
        #expect(SpendingPolicy.threshold(2, [keys[0], hash]).words.hasPrefix("01010101 and the preimage of sha256(ab"))
    }

    @Test(
        arguments: [
            (1_144, 1_800_000_000, "block 1144, about 2027-01-15"), (1_144, nil, "block 1144"),
            (nil, 1_800_000_000, "about 2027-01-15"), (nil, nil, nil),
        ] as [(Int?, Int64?, String?)])
    func anOpeningIsABlockAndADate(_ block: Int?, _ time: Int64?, _ words: String?) {
        #expect(LockOpening(block: block, time: time.map { UnixTime(seconds: $0) }).words == words)
    }
}
