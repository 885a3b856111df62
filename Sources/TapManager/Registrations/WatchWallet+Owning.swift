import Bitcoin

extension WatchWallet {
    /// Whether all inputs that are a signer's belong to this wallet, at the places that their keys show.
    /// - Parameter inputs: what each spends, and the claims of the signer's keys.
    func owns(_ inputs: some Sequence<(TransactionOutput?, [KeyClaim])>) -> Bool {
        var isOne = false
        for (coin, claims) in inputs {
            guard let fingerprint = claims.first?.derivation.fingerprint else { continue }
            let own = claims.compactMap { $0.proven?.path }
            guard !own.isEmpty else { continue }
            guard let coin, owns(coin, by: own, fingerprint) else { return false }
            isOne = true
        }
        return isOne
    }

    /// Whether an output is this wallet's, at the place that the signer's keys in it show.
    func owns(_ output: TransactionOutput, by own: [CardPath], _ fingerprint: Fingerprint) -> Bool {
        guard let index = own.first?.path.steps.last, !index.isHardened else { return false }
        let origins = own.map { KeyOrigin(fingerprint: fingerprint, path: $0.path) }
        return branches.contains { branch in
            let place = branch.place(branch.isRanged ? index.index : 0)
            return Set(origins).isSubset(of: self.origins(of: place))
                && (try? script(at: place)) == output.scriptPubKey
        }
    }
}
