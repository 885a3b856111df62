extension SelectionPool {
    /// How many random sets are tried.
    private static let mostRounds = 1_000
    /// How many times coins are looked at, in all sets together.
    private static let mostLooks = 4_000_000

    /// The random set that comes nearest to the target, exactly or with enough for change; or the smallest coin larger than
    /// both, if no set is nearer.
    /// - Parameter change: what must be left beyond the target when it is not met exactly.
    /// - Returns: the coins' indices in `coins`; `nil` when there is not enough, or the set weighs too much.
    ///
    /// Spec: Bitcoin Core, `KnapsackSolver`.
    func knapsack(leaving change: Int64, using generator: inout some RandomNumberGenerator) -> [Int]? {
        var smaller: [Int] = []
        var sum: Int64 = 0
        var lowestLarger: Int?
        for (place, coin) in coins.enumerated() where coin.weight <= weightLimit {
            if coin.effectiveValue == target { return [place] }
            if coin.effectiveValue < target + change {
                smaller.append(place)
                sum += coin.effectiveValue
            } else {
                // The coins are in descending order.
                lowestLarger = place
            }
        }
        guard sum >= target else { return lowestLarger.map { [$0] } }
        if sum == target { return isLightEnough(smaller) ? smaller : lowestLarger.map { [$0] } }
        var (best, bestSum) = nearestSet(of: smaller, to: target, using: &generator)
        if bestSum != target, sum >= target + change {
            (best, bestSum) = nearestSet(of: smaller, to: target + change, using: &generator)
        }
        if let lowestLarger {
            let isPoor = bestSum != target && bestSum < target + change
            if isPoor || coins[lowestLarger].effectiveValue <= bestSum || !isLightEnough(best) {
                return [lowestLarger]
            }
        }
        return isLightEnough(best) ? best : nil
    }

    private func isLightEnough(_ places: [Int]) -> Bool {
        places.reduce(0) { $0 + coins[$1].weight } <= weightLimit
    }

    /// The set with the least sum of at least `wanted` among random ones; all coins when none is better.
    ///
    /// Spec: Bitcoin Core, `ApproximateBestSubset`.
    private func nearestSet(
        of places: [Int], to wanted: Int64, using generator: inout some RandomNumberGenerator
    ) -> (places: [Int], sum: Int64) {
        let values = places.map { coins[$0].effectiveValue }
        var bestSum = values.reduce(0, +)
        var best = [Bool](repeating: true, count: values.count)
        var taken = best
        let rounds = max(1, min(Self.mostRounds, Self.mostLooks / max(1, values.count)))
        for _ in 0..<rounds where bestSum != wanted {
            for position in taken.indices { taken[position] = false }
            var sum: Int64 = 0
            var reachesTarget = false
            // First each coin by a coin toss, then the ones left out.
            for isSecondPass in [false, true] where !reachesTarget {
                var bits: UInt64 = 0
                for position in values.indices {
                    if !isSecondPass {
                        if position & 63 == 0 { bits = generator.next() }
                        let isHeads = bits & 1 == 1
                        bits >>= 1
                        guard isHeads else { continue }
                    } else if taken[position] {
                        continue
                    }
                    sum += values[position]
                    taken[position] = true
                    guard sum >= wanted else { continue }
                    reachesTarget = true
                    if sum < bestSum {
                        bestSum = sum
                        best = taken
                    }
                    // A smaller coin may be enough.
                    sum -= values[position]
                    taken[position] = false
                }
            }
        }
        return (zip(places, best).compactMap { $1 ? $0 : nil }, bestSum)
    }
}
