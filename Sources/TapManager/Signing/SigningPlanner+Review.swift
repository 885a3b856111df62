import Bitcoin

extension SigningPlanner {
    /// What can be told of the PSBT without any key: amounts, addresses, fee, and what speaks against it, refusals
    /// included. Nobody's change is recognized.
    /// - Returns: no review when an amount is unknown or out of range.
    public func review() -> (review: TransactionReview?, findings: [Finding]) {
        let context = context(keys: SignerKeys(masterFingerprint: .zero))
        return (TransactionReview(context), SigningContext.checks.flatMap { $0.findings(in: context) })
    }
}
