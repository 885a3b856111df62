/// A coin that may be spent: as much of it as choosing needs.
public struct CoinCandidate: Hashable, Sendable {
    /// The weight of an input that is not signed: outpoint, an empty scriptSig's length and the sequence, 41 bytes.
    static let unsignedInputWeight = 164

    /// What it is worth.
    public let amount: Amount
    /// The weight of the complete, signed input that spends it, in weight units, with its witness.
    let inputWeight: Int
    /// Whether the signed input has a witness.
    public let hasWitness: Bool
    /// Whether it may be relied on: confirmed, or the wallet's own change. Others are spent only when these do not suffice.
    public let isConfirmed: Bool
    /// Whether it must be among the spent ones, whatever it is worth.
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

    /// A candidate with the amount and the spending information of an output; `nil` when what signing adds cannot be known.
    public init?(
        amount: Amount, spending: SpendingInformation, isConfirmed: Bool = true, isRequired: Bool = false
    ) {
        guard let signing = spending.signing else { return nil }
        self.init(
            amount: amount, satisfactionWeight: signing.weight, hasWitness: signing.hasWitness,
            isConfirmed: isConfirmed, isRequired: isRequired)
    }
}
