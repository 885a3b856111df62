import Bitcoin

/// A stored transaction's state in the chain, according to a server's last answer. It only affects what is shown, and
/// whether its coins are reserved: whatever a server invents, nothing is deleted.
package struct ChainStanding: Sendable, Hashable {
    /// The height of the block with the transaction or, if it was replaced, with the one that spends its coin instead.
    package let height: Int
    /// The chain's height at the time of the answer; at least `height`.
    package let tip: Int
    /// The id, with signatures, of the transaction in that block that spends one of its coins instead; `nil`: the
    /// transaction itself is in the block.
    package let replacedBy: TransactionID?

    /// - Parameter tip: raised to `height` if lower.
    package init(height: Int, tip: Int, replacedBy: TransactionID? = nil) {
        self.height = height
        self.tip = max(height, tip)
        self.replacedBy = replacedBy
    }

    /// The number of blocks from that one to the tip, including both; at least 1.
    package var confirmations: Int { tip - height + 1 }

    /// Whether it is unlikely to change: the block is as deep as `WalletTransaction.safeDepth`.
    package var isSettled: Bool { confirmations >= WalletTransaction.safeDepth }

    /// Whether the coins that it does not share with its replacement are free.
    var freesCoins: Bool { replacedBy != nil && isSettled }

    /// Whether both are the same, whatever the chain's height.
    func isSame(as other: ChainStanding?) -> Bool { height == other?.height && replacedBy == other?.replacedBy }
}
