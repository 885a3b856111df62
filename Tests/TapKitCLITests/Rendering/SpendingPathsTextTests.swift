import Bitcoin
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

@Suite struct SpendingPathsTextTests {
    /// The review of a transaction whose coin has a policy with so many paths, each closed until another block.
    private func review(opening heights: [Int]) throws -> TransactionReview {
        let planner = SigningPlanner(psbt: try SampleWallet(seed: 1).psbt(), network: .test)
        var review = try #require(planner.review().review)
        let later = SpendingPolicy<Int>.threshold(2, [.key(0), .older(10)])
        let path = try #require(later.paths?.first)
        let terms = SpendingTerms(path) { _ in .bytes([UInt8](repeating: 2, count: 33)) }
        let paths = heights.enumerated().map {
            ReviewedPolicy.Path(number: $0 + 1, terms: terms, isOpen: false, isTaken: false, openingHeight: $1)
        }
        review.policies = [ReviewedPolicy(coins: [], isPartial: false, paths: paths)]
        return review
    }

    /// A height that a server said some time ago was that of then.
    @Test func theDateCountsFromWhenTheHeightWasTold() throws {
        var review = try review(opening: [1_144])
        let now = UnixTime(seconds: 1_800_000_000)
        func line() -> String? { SpendingPathsText(review, now: now).lines.last }
        #expect(line()?.hasSuffix(": closed until block 1144") == true)
        review.knownHeight = 999
        #expect(line()?.hasSuffix(": closed until block 1144, about 2027-01-16") == true, "\(line() ?? "")")
        review.knownHeight = 0
        review.knownHeightTime = UnixTime(seconds: 1_800_000_000 - 5 * 86_400)
        #expect(line()?.hasSuffix(": closed until block 1144, about 2027-01-18") == true, "\(line() ?? "")")
        review.knownHeightTime = UnixTime(seconds: 1_800_000_000 - 90 * 86_400)
        let past = ": closed until block 1144, which has probably been mined by now"
        #expect(line()?.hasSuffix(past) == true, "\(line() ?? "")")
    }

    /// Those that open first are not among those that are left out.
    @Test func ofManyPathsThoseThatOpenFirstAreListed() throws {
        let review = try review(opening: (0..<13).map { 1_100 - $0 })
        let lines = SpendingPathsText(review, now: UnixTime(seconds: 0)).lines
        #expect(lines.count == 12 && lines.last == "  and 3 more")
        #expect(lines[1].hasPrefix("  13  ") && lines[10].hasPrefix("  4  "))
    }
}
