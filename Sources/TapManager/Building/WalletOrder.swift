import Bitcoin

/// What a person wants a wallet to pay.
public struct WalletOrder: Sendable {
    /// Who is paid, and how much.
    public var payments: [Payment]
    /// Where everything else goes; `nil`: to a change address of the wallet.
    public var drain: Script?
    /// The coins to spend, all of them and no others; `nil`: whichever are best.
    package var coins: Set<Outpoint>?
    /// Whether coins may be spent that somebody else's unconfirmed transaction pays: he may still take them back.
    public var allowsUnconfirmed = false
    /// What to pay for the size.
    public var feeRate: FeeRate
    /// What spending is thought to cost some day.
    package var longTermFeeRate = FeeRate.usualLongTerm
    /// The lock time; `nil`: that of the last known block, against fee sniping.
    package var lockTime: UInt32?
    /// How inputs and outputs are ordered.
    package var order = TransactionOrder.random
    /// BIP-174's version, or BIP-370's 2, which fewer programs read.
    package var version = PSBT.Version.v0
    /// What the person wants to be reminded of; empty: nothing.
    public var note = ""

    /// An order; what is not named here can be set afterwards.
    public init(payments: [Payment], drain: Script? = nil, feeRate: FeeRate) {
        self.payments = payments
        self.drain = drain
        self.feeRate = feeRate
    }
}
