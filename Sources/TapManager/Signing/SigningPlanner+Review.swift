import Bitcoin

extension SigningPlanner {
    /// What is known about the PSBT without any key: amounts, addresses, fee and findings, including refusals.
    /// - Parameter wallet: whose own outputs are recognized; `nil`: none.
    /// - Returns: no review if an amount is unknown or out of range.
    package func review(wallet: WatchWallet? = nil) -> (review: TransactionReview?, findings: [Finding]) {
        review(wallet: wallet, shown: nil)
    }

    /// The same, knowing how far the wallet is shown to be in use.
    func review(wallet: WatchWallet?, shown: ShownReach?) -> (review: TransactionReview?, findings: [Finding]) {
        let context = contextWithoutKeys()
        let recognized = context.recognizing(wallet?.spent(by: context.psbt, shown: shown))
        return (TransactionReview(recognized), recognized.findings)
    }
}

extension SigningContext {
    /// The same, with inputs marked as ours and outputs as proven if a wallet's descriptors derive them.
    /// - Parameter spent: the wallet that derives all inputs; `nil`: none does, and nothing changes.
    func recognizing(_ spent: SpentWallet?) -> SigningContext {
        guard let spent else { return self }
        let wallet = spent.wallet
        let owners = zip(psbt.inputs, spent.places).map { fields, place in
            spent.claims(fields.derivations, at: place).compactMap { path, derivation in
                derivation.key.map { KeyClaim(derivation: derivation, verdict: .holds(path, $0)) }
            }
        }
        let verdicts = psbt.outputs.indices.map { index -> ChangeVerdict in
            let fields = psbt.outputs[index]
            guard let place = wallet.place(of: transaction.outputs[index], fields),
                let path = spent.claims(fields.derivations, at: place).first?.path
            else { return changes[index] }
            guard spent.isWhereWalletsLook(place) else {
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
