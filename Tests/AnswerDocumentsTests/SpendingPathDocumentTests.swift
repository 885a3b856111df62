import Bitcoin
import Foundation
import Testing

@testable import AnswerDocuments
@testable import TapManager

/// What programs read about a spending path.
@Suite struct SpendingPathDocumentTests {
    private func json(
        _ keys: [SpendingTerms.Key], isOpen: Bool = true, isTaken: Bool = false, hasLock: Bool = false
    ) throws -> [String: Any] {
        let path = ReviewedPolicy.Path(
            number: 1, terms: SpendingTerms(.init(threshold: 1, keys: keys)), isOpen: isOpen, isTaken: isTaken,
            hasLock: hasLock)
        return try SpendingPathDocument(path).fields()
    }

    private func signers(_ keys: [SpendingTerms.Key]) throws -> [String: Any] {
        try #require((try json(keys)["signers"] as? [[String: Any]])?.first)
    }

    /// Names of cards and labels of keys have places of their own: only the former are proven.
    @Test func namesAndLabelsAreApart() throws {
        let prints = try [1, 2, 3].map { try #require(Fingerprint([UInt8](repeating: $0, count: 4))) }
        let signers = try signers(
            [.holder(prints[0]), .card(prints[1], name: "Anna"), .labelled(.holder(prints[2]), label: "Ben")])
        #expect(signers["keys"] as? [String] == ["01010101", "02020202", "03030303"])
        #expect(signers["names"] as? NSArray == [NSNull(), "Anna", NSNull()])
        #expect(signers["labels"] as? NSArray == [NSNull(), NSNull(), "Ben"])
        let plain = try self.signers([.holder(prints[0])])
        #expect(plain["names"] == nil && plain["labels"] == nil)
    }

    @Test func aLockIsNamedOnlyWhereItIs() throws {
        #expect(try json([])["has_lock"] == nil)
        #expect(try json([], hasLock: true)["has_lock"] as? Bool == true)
        #expect(try json([], isOpen: false)["open"] as? Bool == false)
        #expect(try json([], isTaken: true)["taken"] as? Bool == true)
    }

    /// A height is no time, and blocks are no seconds.
    @Test func eachKindOfLockHasItsKey() throws {
        func document(_ lock: SpendingPolicy<SpendingTerms.Key>) throws -> SpendingPathDocument {
            let path = try #require(SpendingPolicy.threshold(2, [.key(.bytes([2])), lock]).paths?.first)
            return SpendingPathDocument(
                ReviewedPolicy.Path(
                    number: 1, terms: SpendingTerms(path) { $0 }, isOpen: false, isTaken: false, hasLock: false))
        }
        let (height, time) = (try document(.after(800_000)), try document(.after(1_800_000_000)))
        #expect(height.afterHeight == 800_000 && height.afterTime == nil)
        #expect(time.afterHeight == nil && time.afterTime == 1_800_000_000)
        let (blocks, seconds) = (try document(.older(144)), try document(.older(0x40_0002)))
        #expect(blocks.olderBlocks == 144 && blocks.olderSeconds == nil)
        #expect(seconds.olderBlocks == nil && seconds.olderSeconds == 1_024)
    }
}
