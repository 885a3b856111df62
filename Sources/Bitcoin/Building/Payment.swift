/// An output to be made.
public struct Payment: Hashable, Sendable {
    /// The locking script of the address that is paid.
    public let scriptPubKey: Script
    /// How much.
    public let amount: Amount
    /// What a signer is told of an output that is the wallet's own; `nil` for others.
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
