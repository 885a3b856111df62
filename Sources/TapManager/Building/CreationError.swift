import Bitcoin

/// Why a wallet's transaction cannot be made.
package enum CreationError: Error, Sendable, Equatable {
    /// The transaction itself cannot be built.
    case building(BuildingError)
    /// A coin that was named is not the wallet's, as far as the last answer of a chain server tells.
    case unknownCoin(Outpoint)
    /// A coin that was named is spent by a stored transaction.
    case takenCoin(Outpoint, by: TransactionID)
    /// A coin that was named was mined less than 100 blocks ago.
    case immatureCoin(Outpoint)
    /// There is not enough, and would be if coins could be spent that stored transactions spend, that are frozen by their
    /// label, or that somebody else's unconfirmed transaction pays.
    case heldBack(needed: Amount, available: Amount, taken: Amount, frozen: Amount, unconfirmed: Amount)
    /// The wallet's descriptor does not tell how its coins are spent (`addr`, `raw`).
    case notSpendable
    /// Replacing: the transaction is not of a wallet, and which output is change is not known.
    case changeUnknown
    /// Replacing: another transaction spends what this one pays, and would be thrown out with it.
    case hasDescendant(TransactionID)
    /// Replacing: the transaction is in a block already.
    case confirmed(TransactionID)
    /// A sweep that no card is asked to sign, and why.
    case refused(SigningRefusal)
    /// A sweep of which the miners get more than the person.
    case feeAboveSent(fee: Amount, sent: Amount)
    /// A sweep to a slot that was opened, or is now: whoever sees its key can take the money.
    case opensDestination(Address)
    /// The wallet.
    case wallet(WalletError)
    /// The local store.
    case store(StoreError)
}
