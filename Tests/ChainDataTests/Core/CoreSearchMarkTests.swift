import Testing

@testable import ChainData

/// The mark of a search: it lies within the last day, and covers searches from its day on, and no others.
@Suite struct CoreSearchMarkTests {
    /// Noon of 2026-11-23, and the same night's first and last second.
    private static let times: [Int64] = [1_795_435_200, 1_795_392_000, 1_795_478_399]

    @Test(arguments: times) func coversSearchesFromItsDayOn(now: Int64) throws {
        for day in stride(from: Int64(0), through: 40_000, by: 1_111) {
            let mark = try #require(CoreSearchMark(searchFrom: day * 86_400 + 7).time(now: now))
            #expect(mark <= now && mark > now - 86_400)
            for other in [day - 1, day, day + 1] where other >= 0 {
                let search = CoreSearchMark(searchFrom: other * 86_400)
                #expect(search.isCovered(by: mark) == (other >= day), "\(day), \(other)")
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1_231_006_504, 4_294_967_296, .max]) func noBlocksTimeIsNoMark(now: Int64) {
        for day: Int64 in [0, 1, 20_000, 86_398] {
            #expect(CoreSearchMark(searchFrom: day * 86_400).time(now: now) == nil)
        }
    }

    @Test func aSearchThatIsNotOverIsNoMark() {
        for seconds: Int64 in [0, 1, 1_231_006_505, 1_704_067_200, 1_795_435_200] {
            let search = CoreSearchMark(searchFrom: seconds)
            #expect(search.start > 0 && search.start <= max(1, seconds))
            #expect(!search.isCovered(by: search.start))
            #expect(!CoreSearchMark(searchFrom: .max).isCovered(by: search.start))
        }
    }
}
