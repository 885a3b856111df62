import Bitcoin

extension SigningPlanner {
    /// What can be told of the PSBT without any key: amounts, addresses, fee, and what speaks against it, refusals
    /// included.
    /// - Parameter wallet: whose own outputs are recognized; `nil`: nobody's.
    /// - Returns: no review when an amount is unknown or out of range.
    package func review(wallet: WatchWallet? = nil) -> (review: TransactionReview?, findings: [Finding]) {
        let context = contextWithoutKeys().recognizing(wallet)
        return (TransactionReview(context), context.findings)
    }
}

extension SigningContext {
    /// The same, with inputs for our own and outputs for proven that a wallet's descriptors derive; as it is where they do not
    /// derive all inputs.
    fileprivate func recognizing(_ wallet: WatchWallet?) -> SigningContext {
        guard let wallet, wallet.isSpent(by: psbt) else { return self }
        let owners = psbt.inputs.map { fields in
            fields.derivations.compactMap { derivation -> KeyClaim? in
                guard let path = CardPath(derivation.path), let key = derivation.key else {
                    return nil
                }
                return KeyClaim(derivation: derivation, verdict: .holds(path, key))
            }
        }
        let verdicts = psbt.outputs.indices.map { index -> ChangeVerdict in
            let fields = psbt.outputs[index]
            guard wallet.place(of: transaction.outputs[index], fields) != nil,
                let path = fields.derivations.lazy.compactMap({ CardPath($0.path) }).first
            else { return changes[index] }
            return .proven(path, unusual: nil)
        }
        return SigningContext(
            psbt: psbt, transaction: transaction, digests: digests, network: network, policy: policy,
            masterFingerprint: masterFingerprint, coins: coins, spendings: spendings, claims: owners, changes: verdicts,
            evidence: .wallet(wallet.name))
    }
}
