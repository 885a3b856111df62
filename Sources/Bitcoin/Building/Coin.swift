/// An unspent output of a wallet, as the chain server reports it, with what is needed to spend it.
///
/// Its amount is a claim until the previous transaction has been seen: see `TransactionDraft.psbt`.
public struct Coin: Hashable, Sendable {
    /// The coin's transaction id and output index.
    public let outpoint: Outpoint
    /// The output's value, within the money supply.
    public let amount: Amount
    /// Its script, and what spends it.
    public let spending: SpendingInformation
    /// Whether it can be relied on: confirmed, or the wallet's own change. Others are spent only when these are not enough.
    public let isConfirmed: Bool
    /// The weight that signing adds to the input, on the spending path that is chosen; `nil`: it follows from `spending`.
    private let satisfactionWeight: Int?

    /// - Parameters:
    ///   - amount: what the output holds, proven or not: a Taproot or segwit signature commits to it.
    ///   - isConfirmed: whether it is in a block.
    ///   - satisfactionWeight: the weight that signing adds on the spending path that is chosen: see
    ///     `Descriptor.satisfactionWeight(of:)`; `nil`: it follows from `spending`.
    public init(
        outpoint: Outpoint, amount: Amount, spending: SpendingInformation, isConfirmed: Bool = true,
        satisfactionWeight: Int? = nil
    ) {
        self.satisfactionWeight = satisfactionWeight
        self.outpoint = outpoint
        self.amount = amount
        self.spending = spending
        self.isConfirmed = isConfirmed
    }

    /// The output as in its transaction, for digests and PSBTs.
    public var output: TransactionOutput { TransactionOutput(amount: amount, scriptPubKey: spending.scriptPubKey) }

    func candidate(isRequired: Bool) throws(BuildingError) -> CoinCandidate {
        guard
            let candidate = CoinCandidate(
                amount: amount, spending: spending, satisfactionWeight: satisfactionWeight, isConfirmed: isConfirmed,
                isRequired: isRequired)
        else { throw .weightUnknown(outpoint) }
        return candidate
    }
}
