import Bitcoin

extension SigningPlanner {
    /// What is known about the PSBT without any key: amounts, addresses, fee and findings, including refusals.
    /// - Parameter wallet: whose own outputs are recognized; `nil`: none.
    /// - Returns: no review if an amount is unknown or out of range.
    package func review(wallet: WatchWallet? = nil) -> (review: TransactionReview?, findings: [Finding]) {
        let context = contextWithoutKeys().recognizing(wallet)
        return (TransactionReview(context), context.findings)
    }
}

extension SigningContext {
    /// The same, with inputs marked as ours and outputs as proven if a wallet's descriptors derive them; unchanged if
    /// they do not derive all inputs.
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
        let last = wallet.lastIndexForChange(of: psbt)
        let verdicts = psbt.outputs.indices.map { index -> ChangeVerdict in
            let fields = psbt.outputs[index]
            guard let place = wallet.place(of: transaction.outputs[index], fields),
                let path = fields.derivations.lazy.compactMap({ CardPath($0.path) }).first
            else { return changes[index] }
            guard place.index <= last else {
                return .proven(
                    path, unusual: "the index \(place.index) is far beyond those in use, where wallets do not look")
            }
            return .proven(path, unusual: nil)
        }
        return SigningContext(
            psbt: psbt, transaction: transaction, digests: digests, network: network, policy: policy,
            masterFingerprint: masterFingerprint, coins: coins, spendings: spendings, claims: owners, changes: verdicts,
            evidence: .wallet(wallet.name))
    }
}
