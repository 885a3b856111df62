import Bitcoin

extension SigningPlanner {
    /// What can be told of the PSBT without any key: amounts, addresses, fee, and what speaks against it, refusals
    /// included.
    /// - Parameter wallet: whose own outputs are recognized; `nil`: nobody's.
    /// - Returns: no review when an amount is unknown or out of range.
    public func review(wallet: WatchWallet? = nil) -> (review: TransactionReview?, findings: [Finding]) {
        let context = context(keys: SignerKeys(masterFingerprint: .zero)).recognizing(wallet)
        return (TransactionReview(context), SigningContext.checks.flatMap { $0.findings(in: context) })
    }
}

extension SigningContext {
    /// The same, with outputs for proven that a wallet's descriptors derive.
    fileprivate func recognizing(_ wallet: WatchWallet?) -> SigningContext {
        guard let wallet else { return self }
        let verdicts = psbt.outputs.indices.map { index -> ChangeVerdict in
            let fields = psbt.outputs[index]
            guard wallet.place(of: transaction.outputs[index], fields) != nil,
                let path = fields.derivations.lazy.compactMap({ CardPath($0.path) }).first
            else { return changes[index] }
            return .proven(path, unusual: nil)
        }
        return SigningContext(
            psbt: psbt, transaction: transaction, digests: digests, network: network, policy: policy,
            masterFingerprint: masterFingerprint, coins: coins, spendings: spendings, claims: claims, changes: verdicts)
    }
}
