/// A coin that may be spent, with only what coin selection needs.
public struct CoinCandidate: Hashable, Sendable {
    /// The weight of an unsigned input: outpoint, an empty scriptSig's length and the sequence, 41 bytes.
    static let unsignedInputWeight = 164

    /// Its value.
    public let amount: Amount
    /// The weight of the complete, signed input that spends it, in weight units, with its witness.
    let inputWeight: Int
    /// Whether the signed input has a witness.
    public let hasWitness: Bool
    /// Whether it can be relied on: confirmed, or the wallet's own change. Others are spent only when these are not enough.
    public let isConfirmed: Bool
    /// Whether it must be spent, whatever it is worth.
    let isRequired: Bool

    /// A coin that may be chosen.
    /// - Parameter satisfactionWeight: what signing adds to the input: see `SpendingInformation.satisfactionWeight`.
    public init(
        amount: Amount, satisfactionWeight: Int, hasWitness: Bool, isConfirmed: Bool = true, isRequired: Bool = false
    ) {
        self.amount = amount
        inputWeight = Self.unsignedInputWeight + max(0, min(satisfactionWeight, TransactionWeight.largest))
        self.hasWitness = hasWitness
        self.isConfirmed = isConfirmed
        self.isRequired = isRequired
    }

    /// A candidate from an output's amount and spending information; `nil` when the weight that signing adds cannot be known.
    /// - Parameter satisfactionWeight: the weight that signing adds; `nil`: it follows from `spending`.
    public init?(
        amount: Amount, spending: SpendingInformation, satisfactionWeight: Int? = nil, isConfirmed: Bool = true,
        isRequired: Bool = false
    ) {
        guard let signing = spending.signing else { return nil }
        self.init(
            amount: amount, satisfactionWeight: satisfactionWeight ?? signing.weight, hasWitness: signing.hasWitness,
            isConfirmed: isConfirmed, isRequired: isRequired)
    }
}
