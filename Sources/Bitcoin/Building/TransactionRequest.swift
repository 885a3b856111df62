/// What a transaction should do: everything except randomness, previous transactions and signatures.
public struct TransactionRequest: Sendable {
    /// Where everything that is neither payment nor fee goes.
    public enum Remainder: Hashable, Sendable {
        /// Back to the wallet, if it is worth an output.
        case change(SpendingInformation)
        /// Every coin is spent, and the remainder goes here; this payment's amount is ignored.
        case drain(Payment)
    }

    /// A sequence number that signals replaceability, sets no relative lock time, and keeps the lock time enabled.
    ///
    /// Spec: BIP-125, "Summary"; BIP-68.
    static let replaceableSequence: UInt32 = 0xFFFF_FFFD

    /// Coins that may be spent.
    public var coins: [Coin]
    /// Coins that must be spent, whatever they are worth.
    public var requiredCoins: Set<Outpoint> = []
    /// The payments to make.
    public var payments: [Payment]
    /// Where the rest goes.
    public var remainder: Remainder
    /// What fee to pay.
    public var feeDemand: FeeDemand
    /// The fee rate expected for spending later.
    public var longTermFeeRate = FeeRate.usualLongTerm
    /// The earliest block or time for mining the transaction.
    public var lockTime = LockTimePolicy.fixed(0)
    /// Every input's sequence number. With 0xFFFFFFFF the lock time has no effect.
    public var sequence = replaceableSequence
    /// The order of inputs and outputs.
    public var order = TransactionOrder.random

    /// A request for a transaction; other properties can be set afterwards.
    public init(coins: [Coin], payments: [Payment], remainder: Remainder, feeDemand: FeeDemand) {
        self.coins = coins
        self.payments = payments
        self.remainder = remainder
        self.feeDemand = feeDemand
    }
}
