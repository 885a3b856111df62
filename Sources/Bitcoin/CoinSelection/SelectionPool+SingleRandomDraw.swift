extension SelectionPool {
    /// Coins in random order until they reach the target and leave enough for change. When they weigh too much, the least
    /// valuable one is put back.
    /// - Parameter change: what must be left beyond the target.
    /// - Returns: the coins' indices in `coins`; `nil` when there is not enough.
    ///
    /// Spec: Bitcoin Core, `SelectCoinsSRD`.
    func singleRandomDraw(leaving change: Int64, using generator: inout some RandomNumberGenerator) -> [Int]? {
        let wanted = target + change
        guard available >= wanted else { return nil }
        var order = Array(coins.indices)
        var taken = Heap()
        var value: Int64 = 0
        var weight = 0
        for position in order.indices {
            order.swapAt(position, Int.random(in: position..<order.count, using: &generator))
            let place = order[position]
            taken.insert(place)
            value += coins[place].effectiveValue
            weight += coins[place].weight
            while weight > weightLimit, let least = taken.removeLast() {
                value -= coins[least].effectiveValue
                weight -= coins[least].weight
            }
            if value >= wanted { return taken.places }
        }
        return nil
    }
}

/// Indices into a descending list, from which the last can be removed quickly.
private struct Heap {
    private(set) var places: [Int] = []

    mutating func insert(_ place: Int) {
        places.append(place)
        var child = places.count - 1
        while child > 0, places[(child - 1) / 2] < places[child] {
            places.swapAt((child - 1) / 2, child)
            child = (child - 1) / 2
        }
    }

    /// Removes the index of the least valuable coin.
    mutating func removeLast() -> Int? {
        guard let top = places.first, let end = places.popLast() else { return nil }
        guard !places.isEmpty else { return top }
        places[0] = end
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < places.count {
                if places[child] > places[largest] { largest = child }
            }
            guard largest != parent else { return top }
            places.swapAt(largest, parent)
            parent = largest
        }
    }
}
