/// Which coins to spend, and what happens to the remainder.
public struct CoinSelection: Hashable, Sendable {
    /// How coins were chosen.
    public enum Algorithm: String, CaseIterable, Hashable, Sendable {
        /// A set that needs no change.
        case branchAndBound
        /// Coins in random order until they are enough.
        case singleRandomDraw
        /// The best of many random sets, or a single larger coin.
        case knapsack
        /// The largest coins first: the fewest inputs.
        case largestFirst
        /// Nothing but the required coins.
        case required
        /// Every coin that is worth spending.
        case everything
    }

    /// The chosen candidates' indices, ascending.
    public let indices: [Int]
    /// The transaction's fee.
    public let fee: Amount
    /// What goes back to the wallet; `nil` when there is no change output.
    public let change: Amount?
    /// The weight of the signed transaction, in weight units, with the change output if there is one.
    public let weight: Int
    /// What the choice costs compared with spending the same coins later, rounded down to satoshis; less is better.
    ///
    /// Each input costs the difference between the fee rate and the long-term one. A change output costs its own fee and
    /// that of spending it later; without one, the whole remainder is lost.
    ///
    /// Spec: Bitcoin Core, `SelectionResult::RecalculateWaste`.
    let waste: Int64
    /// How the coins were chosen.
    public let algorithm: Algorithm

    /// A quarter of the weight, rounded up: the size that fee rates count.
    public var virtualSize: Int { (weight + 3) / 4 }
}
