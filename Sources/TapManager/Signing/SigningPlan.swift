import Bitcoin

/// What a card will sign, decided before it is asked: a pure function of the PSBT, the card's public keys and the policy.
public struct SigningPlan: Sendable {
    /// One signature to ask for.
    public struct Item: Sendable, Hashable {
        /// The input's number, from 0.
        public let inputIndex: Int
        /// The unhardened steps below the card's path.
        public let subpath: DerivationPath
        /// The key that must have signed.
        public let publicKey: PublicKey
        /// The 32 bytes that the card signs, and by which rules they came about.
        public let digest: Digest
        /// The hash type, which closes the signature in the PSBT.
        public let sighashType: SighashType
    }

    /// The signatures at one path of the card.
    public struct Stage: Sendable, Hashable {
        /// The path that the card must have: hardened steps.
        public let account: DerivationPath
        /// In the order of inputs.
        public let items: [Item]
    }

    /// The PSBT as it was read.
    public let psbt: PSBT
    /// What is signed, by the card's path; the path changes once for each stage.
    public let stages: [Stage]
    /// The path the card has before the first stage.
    let presentAccount: DerivationPath
    /// Signatures of the card's that are there already.
    public let presentCount: Int
    /// What the person is shown.
    public let review: TransactionReview
    /// Warnings and notices, in the order of inputs and outputs.
    public let findings: [Finding]

    /// How many signatures are asked for.
    public var signatureCount: Int { stages.reduce(0) { $0 + $1.items.count } }
}
