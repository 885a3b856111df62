extension SelectionPool {
    /// The most valuable coins until they reach the target: the fewest inputs possible.
    /// - Parameter change: what must be left beyond the target.
    /// - Returns: the coins' indices in `coins`; `nil` when there is not enough, or the set weighs too much.
    func largestFirst(leaving change: Int64 = 0) -> [Int]? {
        var value: Int64 = 0
        var weight = 0
        for (place, coin) in coins.enumerated() {
            value += coin.effectiveValue
            weight += coin.weight
            guard weight <= weightLimit else { return nil }
            if value >= target + change { return Array(0...place) }
        }
        return nil
    }
}
