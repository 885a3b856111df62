import Bitcoin

extension Store {
    /// The places of a wallet's outputs in transactions that were signed here, as far as a search from the first address
    /// might not get there. Whoever wrote a PSBT has chosen the indexes, and somebody has signed for them here: so each is
    /// asked about by itself, and the search goes no further for it.
    ///
    /// Spec: threats, "The PSBT lies" (ransom by lost path).
    /// - Parameters:
    ///   - gapLimit: how far a search gets at least.
    ///   - known: the earlier answer about the wallet: what it found in use is found again; `nil`: none.
    /// - Returns: those of the newest transactions, at most about 100.
    func signedPlaces(
        of wallet: WatchWallet, beyond gapLimit: Int, after known: WalletChain?
    ) throws(StoreError) -> Set<WalletPlace> {
        let usual = Set(known?.scripts.lazy.filter(\.isUsed).map(\.script) ?? [])
        var places: Set<WalletPlace> = []
        for summary in try transactions(limit: .max, offset: 0) {
            // What cannot be read leads nowhere.
            guard places.count < mostSignedPlaces, !summary.signedBy.isEmpty,
                summary.wallet ?? wallet.name == wallet.name,
                (try? signaturesMadeHere(for: summary.id))?.isEmpty == false,
                let psbt = ((try? transaction(summary.id)) ?? nil)?.psbt
            else { continue }
            for (output, fields) in zip(psbt.unsignedTransaction.outputs, psbt.outputs) {
                guard places.count < mostSignedPlaces, !usual.contains(output.scriptPubKey),
                    fields.isClaimed(beyond: gapLimit), let place = wallet.place(of: output, fields)
                else { continue }
                places.insert(place)
            }
        }
        return places
    }
}

/// The most places beside a search: each is a request to some servers.
private let mostSignedPlaces = 100

extension PSBT.Output {
    /// Whether a key is claimed to be at an index from this one on. Keys share few indexes: more claims would only waste
    /// time.
    fileprivate func isClaimed(beyond index: Int) -> Bool {
        let indexes = Set((derivations.map(\.path) + taprootDerivations.map(\.path)).compactMap(\.steps.last?.index))
        return indexes.count <= MultisigAccount.maximumKeyCount && indexes.contains { Int($0) >= index }
    }
}
