import Bitcoin

/// Why a wallet's transaction cannot be made.
package enum CreationError: Error, Sendable, Equatable {
    /// The transaction itself cannot be built.
    case building(BuildingError)
    /// A chosen coin is not the wallet's, according to the chain server's last answer.
    case unknownCoin(Outpoint)
    /// A chosen coin is spent by a stored transaction.
    case takenCoin(Outpoint, by: TransactionID)
    /// A chosen coin was mined less than 100 blocks ago.
    case immatureCoin(Outpoint)
    /// A chosen coin comes from another's unconfirmed transaction, and unconfirmed coins were not allowed.
    case unconfirmedCoin(Outpoint)
    /// Not enough money, although there would be with the coins that stored transactions spend, that labels freeze, or
    /// that come from others' unconfirmed transactions.
    case heldBack(needed: Amount, available: Amount, taken: Amount, frozen: Amount, unconfirmed: Amount)
    /// The wallet's descriptor does not show how to spend its coins (`addr`, `raw`).
    case notSpendable
    /// The wallet's policy has no spending path with this number, from 1; how many it has.
    case noSuchSpendingPath(Int, of: Int)
    /// The spending path with this number is open to none of the coins, or not to all that were chosen. The number is `nil` if
    /// none was asked for; the height is of the first block in which it opens, `nil` if unknown.
    case notOpen(Int?, height: Int?)
    /// The spending path with this number is a script of taproot: cards do not sign it.
    case taprootScript(Int)
    /// The spending path with this number needs a height as its lock time, and a time was chosen, or the reverse; what it
    /// needs.
    case otherLockTime(Int, needed: UInt32)
    /// No spending path takes the preimage with this number, from 1.
    case uselessPreimage(Int)
    /// Replacing: the transaction belongs to no wallet, and it is not known which output is change.
    case changeUnknown
    /// Replacing: another transaction spends its outputs, and would be evicted with it.
    case hasDescendant(TransactionID)
    /// Replacing: the transaction is already confirmed.
    case confirmed(TransactionID)
    /// A sweep that must not be signed, and why.
    case refused(SigningRefusal)
    /// A sweep that would pay more to miners than to the user.
    case feeAboveSent(fee: Amount, sent: Amount)
    /// A sweep to a slot that is unsealed, or would be now: anyone who sees its key can take the money.
    case opensDestination(Address)
    /// The wallet.
    case wallet(WalletError)
    /// The local store.
    case store(StoreError)
}
