/// What the algorithms choose from, in numbers that are exact: money in four-thousandths of a satoshi, which is the fee
/// for one weight unit at 1 sat for 1 000 virtual bytes.
struct SelectionPool {
    /// So many of the units make a satoshi.
    static let unitsPerSatoshi: Int64 = 4_000

    /// A coin that adds more than it costs.
    struct Coin {
        /// The candidate's number.
        let index: Int
        /// What it adds beyond its fee; above zero.
        let effectiveValue: Int64
        /// The complete input's weight, in weight units.
        let weight: Int
    }

    /// The coins, the most valuable first; of equals the lighter first.
    let coins: [Coin]
    /// What the chosen ones must add up to; above zero.
    let target: Int64
    /// What an excess may be at most so that no change output is missed: its cost, and the cost of spending it.
    let costOfChange: Int64
    /// What an algorithm that makes change should leave for it, with the change output's fee.
    let changeTarget: Int64
    /// What the chosen ones may weigh at most together, in weight units.
    let weightLimit: Int
    /// What a weight unit costs now beyond what it costs later; below zero when it is cheap now.
    let wastePerWeightUnit: Int64

    /// What all coins add up to.
    let available: Int64

    /// - Parameter coins: in any order.
    init(
        coins: [Coin], target: Int64, costOfChange: Int64, changeTarget: Int64, weightLimit: Int,
        wastePerWeightUnit: Int64
    ) {
        self.coins = coins.sorted {
            ($1.effectiveValue, $0.weight, $0.index) < ($0.effectiveValue, $1.weight, $1.index)
        }
        self.target = target
        self.costOfChange = costOfChange
        self.changeTarget = changeTarget
        self.weightLimit = weightLimit
        self.wastePerWeightUnit = wastePerWeightUnit
        // The candidates' amounts are known to add up to no more than all money.
        available = coins.reduce(0) { $0 + $1.effectiveValue }
    }
}
