import Bitcoin
import Testing

@Suite struct SpendingPolicyTests {
    /// How many keys are enough without the first one, or the first two.
    @Test func theFewestSignersWithoutSome() {
        func fewest(_ policy: SpendingPolicy<Int>, without count: Int = 1) -> Int? {
            policy.fewestSigners { $0 < count }
        }
        let both = SpendingPolicy<Int>.threshold(2, [.key(0), .key(1)])
        #expect(fewest(both, without: 0) == 2 && fewest(both) == nil)
        let oneLater = SpendingPolicy<Int>.threshold(1, [.key(1), .older(10)])
        #expect(fewest(.threshold(2, [.key(0), oneLater])) == nil)
        #expect(fewest(.threshold(1, [both, .threshold(2, [.key(2), .older(10)])])) == 1)
        let two = SpendingPolicy<Int>.threshold(2, [.key(0), .key(1), .key(2), .after(900_000)])
        #expect(fewest(two) == 1 && fewest(two, without: 3) == nil)
        #expect(fewest(.threshold(2, [.key(0), .key(1), .key(2)])) == 2)
        #expect(fewest(.threshold(2, [.key(0), .key(1), .key(2)]), without: 2) == nil)
        #expect(fewest(.threshold(1, [both, .preimage(.sha256, [1])])) == 0)
        #expect(fewest(.never) == nil && fewest(.always) == 0)
        let later = SpendingPolicy<Int>.threshold(1, [both, .threshold(2, [.key(2), .older(10)])])
        #expect(later.fewestSigners(hasOpenLocks: false) { $0 == 0 } == nil)
        #expect(later.fewestSigners(hasOpenLocks: false) { $0 == 2 } == 2)
    }
}
