import Bitcoin

/// What a card will sign, decided before it is asked: a pure function of the PSBT, the card's public keys and the policy.
package struct SigningPlan: Sendable {
    /// One signature to ask for.
    package struct Item: Sendable, Hashable {
        /// The input's number, from 0.
        package let inputIndex: Int
        /// The unhardened steps below the card's path.
        package let subpath: DerivationPath
        /// The key that must have signed.
        package let publicKey: PublicKey
        /// The 32 bytes that the card signs, and by which rules they came about.
        package let digest: Digest
        /// The hash type, which closes the signature in the PSBT.
        package let sighashType: SighashType
    }

    /// The signatures at one path of the card.
    package struct Stage: Sendable, Hashable {
        /// The path that the card must have: hardened steps.
        package let account: DerivationPath
        /// In the order of inputs.
        package let items: [Item]
    }

    /// The PSBT as it was read.
    package let psbt: PSBT
    /// What is signed, by the card's path; the path changes once for each stage.
    package let stages: [Stage]
    /// The path the card has before the first stage.
    let presentAccount: DerivationPath
    /// Signatures of the card's that are there already.
    package let presentCount: Int
    /// What the person is shown.
    package let review: TransactionReview
    /// Warnings and notices, in the order of inputs and outputs.
    package let findings: [Finding]

    /// How many signatures are asked for.
    package var signatureCount: Int { stages.reduce(0) { $0 + $1.items.count } }
}
