import Bitcoin

/// Where a stored transaction stands in the chain, as a chain server said last. Only what is shown depends on it, and whether
/// its coins are kept from others: whatever a server makes up, nothing is deleted for it.
package struct ChainStanding: Sendable, Hashable {
    /// The height of the block that holds the transaction or, where it was replaced, the one that spends its coin instead.
    package let height: Int
    /// How high the chain was when that was said; at least `height`.
    package let tip: Int
    /// The transaction in that block that spends one of its coins in its place, as that one is signed; `nil`: it is in the block
    /// itself.
    package let replacedBy: TransactionID?

    /// - Parameter tip: taken as at least `height`.
    package init(height: Int, tip: Int, replacedBy: TransactionID? = nil) {
        self.height = height
        self.tip = max(height, tip)
        self.replacedBy = replacedBy
    }

    /// Blocks from the one that decided it to the tip, both included; at least 1.
    package var confirmations: Int { tip - height + 1 }

    /// Whether nobody expects that to change: the block is as deep as `WalletTransaction.safeDepth`.
    package var isSettled: Bool { confirmations >= WalletTransaction.safeDepth }

    /// Whether the coins that it does not share with its replacement are free for others.
    var freesCoins: Bool { replacedBy != nil && isSettled }

    /// Whether both say the same, however high the chain is.
    func isSame(as other: ChainStanding?) -> Bool { height == other?.height && replacedBy == other?.replacedBy }
}
