import Bitcoin

/// A transaction as the user sees it before signing.
public struct TransactionReview: Sendable, Equatable {
    /// A coin that is spent, and what is known about its key.
    public struct Input: Sendable, Equatable {
        /// The output that the input spends.
        public let outpoint: Outpoint
        /// The amount; always known, as the PSBT is refused otherwise.
        public let amount: Amount
        /// Whether the previous transaction proves the amount.
        public let isProven: Bool
        /// The address that is spent from, if the script has one.
        public let address: Address?
        /// The path of the card's key, for inputs that the card can sign or has signed.
        public let path: DerivationPath?
    }

    /// Where money goes, and whether it is change.
    public struct Output: Sendable, Equatable {
        /// The output's amount, exactly as the transaction has it.
        public let amount: Amount
        /// The recipient, if the script has an address.
        public let address: Address?
        /// The locking script, whether it has an address or not.
        public let scriptPubKey: Script
        /// The path of the card's key, if the output pays back to us.
        public let changePath: DerivationPath?
        /// Whether it is proven that the output comes back to us.
        public let isProvenChange: Bool
        /// The path at which the file claims the output to be change; anyone can write that. `nil`: no such claim.
        package let claimedPath: DerivationPath?
    }

    /// What shows which inputs and outputs are ours.
    package enum Evidence: Sendable, Hashable {
        /// Nothing: no key is known, and what the file says is only claimed.
        case nothing
        /// The signer's keys, proven now, or earlier and stored.
        case keys
        /// The descriptors of the stored wallet of this name.
        case wallet(String)
        /// All inputs are coins in slots of one SATSCARD, and there is no change.
        case slots
    }

    /// In the transaction's order.
    public let inputs: [Input]
    /// In the transaction's order.
    public let outputs: [Output]
    /// The fee, what leaves, and the estimated size.
    public let fee: FeeSummary
    /// The transaction's id without its signatures; final if all inputs are native witness inputs.
    public let unsignedTransactionID: TransactionID
    /// The network whose address form is used.
    public let network: Network
    /// Who has signed, who can, and how many must.
    public let tally: SignatureTally
    /// The block height or, from 500 000 000 on, the second since 1970 (UTC) after which the transaction is valid; 0: no
    /// lock time, or none that counts, as every input is final. Spec: BIP-113 for times.
    public let lockTime: UInt32
    /// Who can spend the inputs that have a policy, and on which path this transaction does.
    package var policies: [ReviewedPolicy]
    /// How many inputs have a policy that is not among them: see `ReviewedPolicy.all`.
    package let unlistedPolicyCount: Int
    /// What shows which inputs and outputs are ours.
    package var evidence: Evidence
    /// The chain's height when a server was last asked; `nil`: unknown.
    package var knownHeight: Int?
    /// When the server said so; `nil`: just now.
    package var knownHeightTime: UnixTime?
    /// The user's own labels for addresses that are paid, exactly as written; nothing proves that they are true. Empty in a
    /// check's context, and for addresses without one.
    public package(set) var labels: [Address: String] = [:]

    /// `nil` if an amount is unknown or out of range.
    init?(_ context: SigningContext) {
        guard let fee = FeeSummary(context) else { return nil }
        self.fee = fee
        network = context.network
        evidence = context.evidence
        tally = SignatureTally(context.psbt)
        (policies, unlistedPolicyCount) = ReviewedPolicy.all(in: context)
        let heedsLock = context.transaction.inputs.contains { $0.sequence != TimeLock.final }
        lockTime = heedsLock ? context.transaction.lockTime : 0
        unsignedTransactionID = context.transaction.id
        inputs = context.transaction.inputs.enumerated().compactMap { index, input in
            guard let output = context.coin(index), let amount = output.amount else { return nil }
            return Input(
                outpoint: input.outpoint, amount: amount, isProven: context.isProven(index),
                address: Address(scriptPubKey: output.scriptPubKey, network: context.network),
                path: context.claims[index].lazy.compactMap { $0.proven?.path.path }.first
                    ?? context.signedBefore[index])
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
