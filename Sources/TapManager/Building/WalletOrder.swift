import Bitcoin

/// What the user wants a wallet to pay.
public struct WalletOrder: Sendable {
    /// Payees and amounts.
    package var payments: [Payment]
    /// The script that gets everything else; `nil`: a change address of the wallet.
    package var drain: Script?
    /// The coins to spend, all of them and no others; `nil`: automatic selection.
    package var coins: Set<Outpoint>?
    /// Whether to spend coins from others' unconfirmed transactions, which their senders may still take back.
    package var allowsUnconfirmed = false
    /// How to choose what the fee pays for each virtual byte.
    package var fee: FeeChoice
    /// The fee rate that later spending is assumed to cost.
    package var longTermFeeRate = FeeRate.usualLongTerm
    /// The lock time; `nil`: the last known block, against fee sniping.
    package var lockTime: UInt32?
    /// The number, from 1, of the spending path, for a wallet with a policy; `nil`: the cheapest that is open, but none that some
    /// coins are too young for, unless every path has a lock.
    package var path: Int?
    /// Preimages that the user has, 32 bytes each, for spending paths that take them.
    package var preimages: [[UInt8]] = []
    /// The order of inputs and outputs.
    package var order = TransactionOrder.random
    /// Version 0 (BIP-174), or version 2 (BIP-370), which fewer programs read.
    package var version = PSBT.Version.v0
    /// The user's note; empty: none.
    package var note = ""

    /// An order. By default, the coins are selected automatically, unconfirmed ones of others are left alone, and what is
    /// left over comes back to a change address of the wallet.
    /// - Parameters:
    ///   - payments: payees and amounts; may be empty if there is a `drain`.
    ///   - drain: the script that gets everything else; `nil`: a change address of the wallet.
    ///   - coins: the coins to spend, all of them and no others; choosing a frozen one overrides its label. `nil`:
    ///     automatic selection.
    ///   - allowsUnconfirmed: whether coins from others' unconfirmed transactions may be spent, chosen ones included; their
    ///     senders may still take them back.
    ///   - fee: the rate per virtual byte, or how soon the transaction should be confirmed.
    ///   - lockTime: the first block height, or from 500 000 000 on the first second since 1970, after which it is valid;
    ///     `nil`: the last known block, against fee sniping.
    ///   - note: for the user's own lists, never sent; empty: none.
    public init(
        payments: [Payment], drain: Script? = nil, coins: Set<Outpoint>? = nil, allowsUnconfirmed: Bool = false,
        fee: FeeChoice = .usual, lockTime: UInt32? = nil, note: String = ""
    ) {
        self.payments = payments
        self.drain = drain
        self.coins = coins
        self.allowsUnconfirmed = allowsUnconfirmed
        self.fee = fee
        self.lockTime = lockTime
        self.note = note
    }
}
