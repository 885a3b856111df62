import Bitcoin

/// What a card will sign, decided before the card is used: a pure function of the PSBT, the card's public keys and the
/// policy.
package struct SigningPlan: Sendable {
    /// One signature to request.
    package struct Item: Sendable, Hashable {
        /// The input's index, from 0.
        package let inputIndex: Int
        /// The unhardened steps below the card's path.
        package let subpath: DerivationPath
        /// The key that the signature must be valid for.
        package let publicKey: PublicKey
        /// The 32 bytes that the card signs, with the rules they were computed by.
        package let digest: Digest
        /// The hash type, the last byte of a signature in a PSBT.
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
    /// What is signed, by the card's path; the card's path changes once for each stage.
    package let stages: [Stage]
    /// The card's path before the first stage.
    let presentAccount: DerivationPath
    /// How many of the card's signatures exist already.
    package let presentCount: Int
    /// What the user is shown.
    package let review: TransactionReview
    /// Warnings and notices: those of the PSBT in the order of inputs and outputs, then those that the store knows.
    package internal(set) var findings: [Finding]

    /// How many signatures are requested.
    package var signatureCount: Int { stages.reduce(0) { $0 + $1.items.count } }
}

extension SigningPlan {
    /// A plan that asks for no signature, because none is missing.
    init(showing review: TransactionReview, _ findings: [Finding], of psbt: PSBT, presentCount: Int = 0) {
        self.init(
            psbt: psbt, stages: [], presentAccount: DerivationPath(), presentCount: presentCount, review: review,
            findings: findings)
    }
}
