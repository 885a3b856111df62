import Bitcoin

extension Store {
    /// How far a wallet's change goes that was signed here: the highest index of each branch, by its first place, as far as
    /// a search with the usual gap limit might not get there. Whoever wrote a PSBT has chosen the index; a search that goes
    /// there follows no server and no payer, as somebody has signed for it here.
    ///
    /// Spec: threats, "The PSBT lies" (ransom by lost path).
    /// - Parameter known: the earlier answer about the wallet, which remembers what was settled then; `nil`: none.
    func signedChange(of wallet: WatchWallet, after known: WalletChain?) throws(StoreError) -> [WalletPlace: UInt32] {
        var last: [WalletPlace: UInt32] = [:]
        let shown = ShownReach(self)
        for summary in try transactions(limit: .max, offset: 0) {
            guard summary.wallet ?? wallet.name == wallet.name, known == nil || !summary.isSettled,
                let psbt = try transaction(summary.id)?.psbt
            else { continue }
            let far = zip(psbt.unsignedTransaction.outputs, psbt.outputs).compactMap { output, fields in
                fields.isClaimedFarOut ? wallet.place(of: output, fields) : nil
            }
            guard !far.isEmpty, let spent = wallet.spent(by: psbt, shown: shown),
                try !signaturesMadeHere(for: summary.id).isEmpty
            else { continue }
            for place in far where spent.isWhereWalletsLook(place) {
                last[place.branchStart] = max(last[place.branchStart] ?? 0, place.index)
            }
        }
        return last
    }
}

extension PSBT.Output {
    /// Whether a key is claimed to be at an index where a search from the first one with the usual gap limit does not look.
    fileprivate var isClaimedFarOut: Bool {
        (derivations.map(\.path) + taprootDerivations.map(\.path)).contains { path in
            path.steps.last.map { Int($0.index) >= WalletSync.usualGapLimit } ?? false
        }
    }
}
