/// What a transaction shall do: everything but chance, the previous transactions and signatures.
public struct TransactionRequest: Sendable {
    /// Where that goes which is neither paid nor fee.
    public enum Remainder: Hashable, Sendable {
        /// Back to the wallet, when it is worth an output.
        case change(SpendingInformation)
        /// Every coin is spent, and the remainder goes here; the amount of this payment is not looked at.
        case drain(Payment)
    }

    /// A sequence number that signals replaceability, and neither a relative nor a disabled lock time.
    ///
    /// Spec: BIP-125, "Summary"; BIP-68.
    static let replaceableSequence: UInt32 = 0xFFFF_FFFD

    /// What may be spent.
    public var coins: [Coin]
    /// What must be spent, whatever it is worth.
    public var requiredCoins: Set<Outpoint> = []
    /// What shall be paid.
    public var payments: [Payment]
    /// Where the rest goes.
    public var remainder: Remainder
    /// What fee to pay.
    public var feeDemand: FeeDemand
    /// What spending is thought to cost some day.
    public var longTermFeeRate = FeeRate.usualLongTerm
    /// From which block or time on the transaction may be mined.
    public var lockTime = LockTimePolicy.fixed(0)
    /// Every input's sequence number. With 0xFFFFFFFF the lock time means nothing.
    public var sequence = replaceableSequence
    /// The order of inputs and outputs.
    public var order = TransactionOrder.random

    /// A request for a transaction; what is not named here can be set afterwards.
    public init(coins: [Coin], payments: [Payment], remainder: Remainder, feeDemand: FeeDemand) {
        self.coins = coins
        self.payments = payments
        self.remainder = remainder
        self.feeDemand = feeDemand
    }
}
