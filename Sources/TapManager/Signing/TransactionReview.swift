import Bitcoin

/// A transaction as a person is shown it before signing.
public struct TransactionReview: Sendable, Equatable {
    /// A coin that is spent, and what is known of its key.
    public struct Input: Sendable, Equatable {
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
    public struct Output: Sendable, Equatable {
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
        /// Where the file says that the output comes back to; anybody can write that. `nil`: it says nothing of the kind.
        package let claimedPath: DerivationPath?
    }

    /// Whose word it is which inputs are ours, and which outputs come back to us.
    package enum Evidence: Sendable, Hashable {
        /// Nobody's: no key is known, and what the file says is only claimed.
        case nothing
        /// The signer's keys, told now, or proven earlier and stored.
        case keys
        /// The descriptors of the stored wallet of this name.
        case wallet(String)
        /// All inputs are coins in slots of one SATSCARD, and nothing comes back.
        case slots
    }

    /// In the transaction's order.
    public let inputs: [Input]
    /// In the transaction's order.
    public let outputs: [Output]
    /// Fee, sent amount and size.
    public let fee: FeeSummary
    /// The id the transaction has without its signatures; final for pure witness inputs.
    public let unsignedTransactionID: TransactionID
    /// The network whose addresses are shown.
    public let network: Network
    /// Who has signed, and who can.
    package let tally: SignatureTally
    /// Before which block or second the transaction is not valid; 0: it is valid now, as far as that goes.
    package let lockTime: UInt32
    /// Whose word it is what is ours.
    package var evidence: Evidence
    /// The height of the chain when a server was asked last; `nil`: not known.
    package var knownHeight: Int?
    /// What the store calls addresses that are paid.
    package var labels: [Address: String] = [:]

    /// `nil` when an amount is unknown or out of range.
    init?(_ context: SigningContext) {
        guard let fee = FeeSummary(context) else { return nil }
        self.fee = fee
        network = context.network
        evidence = context.evidence
        tally = SignatureTally(context.psbt)
        let heedsLock = context.transaction.inputs.contains { $0.sequence != TimeLockCheck.finalSequence }
        lockTime = heedsLock ? context.transaction.lockTime : 0
        unsignedTransactionID = context.transaction.id
        inputs = context.transaction.inputs.enumerated().compactMap { index, input in
            guard let output = context.coin(index), let amount = output.amount else { return nil }
            return Input(
                outpoint: input.outpoint, amount: amount, isProven: context.isProven(index),
                address: Address(scriptPubKey: output.scriptPubKey, network: context.network),
                path: context.claims[index].lazy.compactMap { $0.proven?.path.path }.first)
        }
        let signers = Set(context.psbt.inputs.lazy.flatMap(\.derivations).map(\.fingerprint))
        outputs = context.transaction.outputs.enumerated().compactMap { index, output in
            guard let amount = output.amount else { return nil }
            let change = context.changes[index]
            let claim = context.psbt.outputs[index].derivations.first {
                signers.isEmpty || signers.contains($0.fingerprint)
            }
            return Output(
                amount: amount, address: Address(scriptPubKey: output.scriptPubKey, network: context.network),
                scriptPubKey: output.scriptPubKey, changePath: change.path?.path, isProvenChange: change.isProven,
                claimedPath: claim?.path)
        }
    }
}
