import Bitcoin
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

@Suite struct SpendingPathsTextTests {
    /// The review of a transaction whose coin has a policy with so many paths, each closed.
    private func review(opening openings: [LockOpening]) throws -> TransactionReview {
        let planner = SigningPlanner(psbt: try SampleWallet(seed: 1).psbt(), network: .test)
        var review = try #require(planner.review().review)
        let later = SpendingPolicy<Int>.threshold(2, [.key(0), .older(10)])
        let path = try #require(later.paths?.first)
        let terms = SpendingTerms(path) { _ in .bytes([UInt8](repeating: 2, count: 33)) }
        let paths = openings.enumerated().map {
            ReviewedPolicy.Path(
                number: $0 + 1, terms: terms, isOpen: false, isTaken: false, hasLock: false, opening: $1)
        }
        review.policies = [ReviewedPolicy(coins: [], isPartial: false, paths: paths)]
        return review
    }

    private func review(opening block: Int, by clock: BlockClock? = nil) throws -> TransactionReview {
        var review = try review(opening: [LockOpening(block: block, time: clock?.time(ofBlock: block))])
        (review.knownHeight, review.knownHeightTime) = (clock?.height, clock?.time)
        return review
    }

    /// A height that a server said some time ago was that of then.
    @Test func theDateCountsFromWhenTheHeightWasTold() throws {
        func end(_ height: Int?, daysAgo: Int64 = 0) throws -> String? {
            let time = UnixTime(seconds: Self.now.seconds - daysAgo * 86_400)
            return try line(review(opening: 1_144, by: height.map { BlockClock(height: $0, time: time) }))
        }
        #expect(try end(nil) == "closed until block 1144")
        #expect(try end(999) == "closed until block 1144, about 2027-01-16")
        #expect(try end(0, daysAgo: 5) == "closed until block 1144, about 2027-01-18")
        #expect(try end(0, daysAgo: 90) == "closed until block 1144, which has probably been mined by now")
        #expect(try end(1_143) == "closed to this transaction, open to others")
    }

    /// Whether a lock of time is open, the clock tells, and no block.
    @Test func aDateIsNamed() throws {
        func end(_ time: UnixTime?) throws -> String? {
            try line(review(opening: [LockOpening(block: nil, time: time)]))
        }
        #expect(try end(UnixTime(seconds: Self.now.seconds + 86_400)) == "closed until about 2027-01-16")
        #expect(try end(Self.now) == "closed to this transaction, probably open to others")
        #expect(try end(nil) == "closed to this transaction")
    }

    private static let now = UnixTime(seconds: 1_800_000_000)

    /// What the last line says of its path.
    private func line(_ review: TransactionReview) -> String? {
        SpendingPathsText(review, now: Self.now).lines.last.flatMap { line in
            line.range(of: ": ").map { String(line[$0.upperBound...]) }
        }
    }

    /// Those that open first are not among those that are left out.
    @Test func ofManyPathsThoseThatOpenFirstAreListed() throws {
        let review = try review(opening: (0..<13).map { LockOpening(block: 1_100 - $0, time: nil) })
        let lines = SpendingPathsText(review, now: UnixTime(seconds: 0)).lines
        #expect(lines.count == 12 && lines.last == "  and 3 more")
        #expect(lines[1].hasPrefix("  13  ") && lines[10].hasPrefix("  4  "))
    }
}
