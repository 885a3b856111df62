import Bitcoin

/// What the user wants a wallet to pay.
public struct WalletOrder: Sendable {
    /// Payees and amounts.
    public var payments: [Payment]
    /// The script that gets everything else; `nil`: a change address of the wallet.
    public var drain: Script?
    /// The coins to spend, all of them and no others; `nil`: automatic selection.
    package var coins: Set<Outpoint>?
    /// Whether to spend coins from others' unconfirmed transactions, which their senders may still take back.
    public var allowsUnconfirmed = false
    /// How to choose what the fee pays for each virtual byte.
    public var fee: FeeChoice
    /// The fee rate that later spending is assumed to cost.
    package var longTermFeeRate = FeeRate.usualLongTerm
    /// The lock time; `nil`: the last known block, against fee sniping.
    package var lockTime: UInt32?
    /// The order of inputs and outputs.
    package var order = TransactionOrder.random
    /// Version 0 (BIP-174), or version 2 (BIP-370), which fewer programs read.
    package var version = PSBT.Version.v0
    /// The user's note; empty: none.
    public var note = ""

    /// An order; other properties can be set afterwards.
    public init(payments: [Payment], drain: Script? = nil, fee: FeeChoice = .usual) {
        self.payments = payments
        self.drain = drain
        self.fee = fee
    }
}
