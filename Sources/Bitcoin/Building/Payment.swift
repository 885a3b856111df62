/// An output to create.
public struct Payment: Hashable, Sendable {
    /// The locking script of the address to pay.
    public let scriptPubKey: Script
    /// How much.
    public let amount: Amount
    /// What signers are told about the wallet's own output; `nil` for other outputs.
    public let spending: SpendingInformation?

    /// A payment to a script.
    public init(to scriptPubKey: Script, amount: Amount) {
        self.scriptPubKey = scriptPubKey
        self.amount = amount
        spending = nil
    }

    /// A payment to the wallet itself.
    public init(to spending: SpendingInformation, amount: Amount) {
        scriptPubKey = spending.scriptPubKey
        self.amount = amount
        self.spending = spending
    }

    var output: TransactionOutput { TransactionOutput(amount: amount, scriptPubKey: scriptPubKey) }
}
