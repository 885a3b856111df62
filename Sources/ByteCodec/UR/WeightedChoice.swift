/// Chooses among numbers with given weights, by Walker's alias method, in the order that uniform resources define, so that
/// sender and receiver choose alike.
///
/// Spec: BCR-2024-001, "The Consensus Stack"; K. Schwarz, "Darts, Dice, and Coins".
struct WeightedChoice: Sendable {
    private var shares: [Double]
    private var aliases: [Int]

    /// - Parameter weights: at least one, none negative, with a positive sum.
    init(_ weights: [Double]) {
        let sum = weights.reduce(0, +)
        var scaled = weights.map { $0 * Double(weights.count) / sum }
        shares = [Double](repeating: 1, count: weights.count)
        aliases = Array(weights.indices)
        var small = weights.indices.reversed().filter { scaled[$0] < 1 }
        var large = weights.indices.reversed().filter { scaled[$0] >= 1 }
        while let poor = small.last, let rich = large.last {
            small.removeLast()
            large.removeLast()
            shares[poor] = scaled[poor]
            aliases[poor] = rich
            scaled[rich] += scaled[poor] - 1
            if scaled[rich] < 1 { small.append(rich) } else { large.append(rich) }
        }
    }

    /// The next choice: a number below the count of weights.
    func next(_ random: inout Xoshiro256) -> Int {
        let (place, share) = (random.nextFraction(), random.nextFraction())
        let index = min(shares.count - 1, Int(Double(shares.count) * place))
        return share < shares[index] ? index : aliases[index]
    }
}
