extension SelectionPool {
    /// How many sets are tried.
    private static let mostTries = 100_000

    /// The least wasteful set found in time that needs no change; `nil` when none is found.
    ///
    /// Walks through the sets, first taking a coin and then leaving it out. Turns back when a set can no longer reach the
    /// target, exceeds it by more than change costs, weighs too much, or wastes more than the best one.
    /// - Returns: the coins' indices in `coins`.
    ///
    /// Spec: Bitcoin Core, `SelectCoinsBnB`.
    func branchAndBound() -> [Int]? {
        guard available >= target else { return nil }
        let isExpensive = wastePerWeightUnit > 0
        var taken: [Int] = []
        var best: [Int]?
        var bestWaste = Int64.max
        var value: Int64 = 0
        var waste: Int64 = 0
        var weight = 0
        var remaining = available
        var place = 0
        for _ in 0..<Self.mostTries {
            var turnsBack = false
            if value + remaining < target || value > target + costOfChange || weight > weightLimit
                || (isExpensive && waste > bestWaste)
            {
                turnsBack = true
            } else if value >= target {
                let wasteWithExcess = waste + value - target
                if wasteWithExcess < bestWaste {
                    best = taken
                    bestWaste = wasteWithExcess
                }
                turnsBack = true
            }
            if turnsBack {
                guard let last = taken.popLast() else { break }
                // Coins after the last one taken can be taken again.
                place -= 1
                while place > last {
                    remaining += coins[place].effectiveValue
                    place -= 1
                }
                value -= coins[last].effectiveValue
                waste -= Int64(coins[last].weight) * wastePerWeightUnit
                weight -= coins[last].weight
            } else {
                // Nothing remains, so the set cannot reach the target; the next round finds that out.
                guard coins.indices.contains(place) else { break }
                let coin = coins[place]
                remaining -= coin.effectiveValue
                // A coin equal to the one just left out would give the same sets again.
                let isRepetition =
                    place > 0 && taken.last != place - 1
                    && coins[place - 1].effectiveValue == coin.effectiveValue && coins[place - 1].weight == coin.weight
                if !isRepetition {
                    taken.append(place)
                    value += coin.effectiveValue
                    waste += Int64(coin.weight) * wastePerWeightUnit
                    weight += coin.weight
                }
            }
            place += 1
        }
        return best
    }
}
