/// What the algorithms choose from, in exact numbers: money in four-thousandths of a satoshi, which is the fee for one
/// weight unit at 1 sat per 1 000 virtual bytes.
struct SelectionPool {
    /// How many of these units make a satoshi.
    static let unitsPerSatoshi: Int64 = 4_000

    /// A coin that adds more than it costs.
    struct Coin {
        /// The candidate's index.
        let index: Int
        /// Its value minus its fee; above zero.
        let effectiveValue: Int64
        /// The complete input's weight, in weight units.
        let weight: Int
    }

    /// The coins, the most valuable first; among equals, the lighter first.
    let coins: [Coin]
    /// What the chosen ones must add up to; above zero.
    let target: Int64
    /// The largest excess that is not worth a change output: its cost, plus the cost of spending it.
    let costOfChange: Int64
    /// What an algorithm that makes change should leave for it, including the change output's fee.
    let changeTarget: Int64
    /// The most that the chosen coins may weigh together, in weight units.
    let weightLimit: Int
    /// What a weight unit costs now minus what it costs later; below zero when fees are low now.
    let wastePerWeightUnit: Int64

    /// The sum of all coins.
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
        // The candidates' amounts are known not to exceed the money supply.
        available = coins.reduce(0) { $0 + $1.effectiveValue }
    }
}
