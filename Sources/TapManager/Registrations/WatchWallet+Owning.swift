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

    /// Whether an output is this wallet's, at a place that the signer's keys in it show.
    func owns(_ output: TransactionOutput, by own: [CardPath], _ fingerprint: Fingerprint) -> Bool {
        index(of: output, by: own, fingerprint) != nil
    }

    /// The index of an output of this wallet's, as the signer's keys in it show it: a key that is not extended is always at the
    /// same one. `nil` for an output that is not the wallet's.
    func index(of output: TransactionOutput, by own: [CardPath], _ fingerprint: Fingerprint) -> UInt32? {
        let origins = Set(own.map { KeyOrigin(fingerprint: fingerprint, path: $0.path) })
        let indexes = own.compactMap(\.path.steps.last).filter { !$0.isHardened }.map(\.index)
        var tried: Set<UInt32> = []
        return indexes.first { index in
            guard tried.insert(index).inserted else { return false }
            return branches.contains { branch in
                let place = branch.place(branch.isRanged ? index : 0)
                return origins.isSubset(of: self.origins(of: place)) && (try? script(at: place)) == output.scriptPubKey
            }
        }
    }
}
