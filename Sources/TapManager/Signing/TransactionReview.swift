import Bitcoin

/// A transaction as a person is shown it before signing.
public struct TransactionReview: Sendable {
    /// A coin that is spent, and what is known of its key.
    public struct Input: Sendable {
        /// The output that the input spends.
        public let outpoint: Outpoint
        /// The amount; always known, or the PSBT is refused.
        public let amount: Amount
        /// Whether the previous transaction proves the amount.
        public let isProven: Bool
        /// The address that is spent from, if the script has one.
        public let address: Address?
        /// Where the card's key is, for inputs that the card can sign.
        public let path: DerivationPath?
    }

    /// Where money goes, and whether it comes back to the wallet.
    public struct Output: Sendable {
        /// The money that goes to the output, exactly as the transaction has it.
        public let amount: Amount
        /// To whom, if the script has an address.
        public let address: Address?
        /// To whom, in any case.
        public let scriptPubKey: Script
        /// Where the card's key is, if the output comes back to us.
        public let changePath: DerivationPath?
        /// Whether it is proven that the output comes back to us.
        public let isProvenChange: Bool
    }

    /// In the transaction's order.
    public let inputs: [Input]
    /// In the transaction's order.
    public let outputs: [Output]
    /// Fee, sent amount and size.
    public let fee: FeeSummary
    /// The id the transaction has without its signatures; final for pure witness inputs.
    package let unsignedTransactionID: TransactionID
    /// The network whose addresses are shown.
    public let network: Network

    /// `nil` when an amount is unknown or out of range.
    init?(_ context: SigningContext) {
        guard let fee = FeeSummary(context) else { return nil }
        self.fee = fee
        network = context.network
        unsignedTransactionID = context.transaction.id
        inputs = context.transaction.inputs.enumerated().compactMap { index, input in
            guard let output = context.coin(index), let amount = output.amount else { return nil }
            return Input(
                outpoint: input.outpoint, amount: amount, isProven: context.isProven(index),
                address: Address(scriptPubKey: output.scriptPubKey, network: context.network),
                path: context.claims[index].lazy.compactMap { $0.proven?.path.path }.first)
        }
        outputs = zip(context.transaction.outputs, context.changes).compactMap { output, change in
            guard let amount = output.amount else { return nil }
            return Output(
                amount: amount, address: Address(scriptPubKey: output.scriptPubKey, network: context.network),
                scriptPubKey: output.scriptPubKey, changePath: change.path?.path, isProvenChange: change.isProven)
        }
    }
}
