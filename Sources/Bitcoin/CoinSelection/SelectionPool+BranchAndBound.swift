extension SelectionPool {
    /// How many sets are looked at.
    private static let mostTries = 100_000

    /// The set with the least waste among those that need no change and that are found in time; `nil` when none is.
    ///
    /// Walks through the sets, a coin being taken first and left second, and turns back where a set can no longer reach the
    /// target, has passed it by more than change costs, weighs too much, or wastes more than the best one.
    /// - Returns: the coins' places in `coins`.
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
                // What was left behind the last one taken can be taken again.
                place -= 1
                while place > last {
                    remaining += coins[place].effectiveValue
                    place -= 1
                }
                value -= coins[last].effectiveValue
                waste -= Int64(coins[last].weight) * wastePerWeightUnit
                weight -= coins[last].weight
            } else {
                // Nothing remains: the set can never reach the target, which the next round finds.
                guard coins.indices.contains(place) else { break }
                let coin = coins[place]
                remaining -= coin.effectiveValue
                // A coin like the one that was just left makes the same sets again.
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
