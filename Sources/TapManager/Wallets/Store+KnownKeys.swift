import Bitcoin

extension Store {
    /// The first key of a wallet that is said to be a remembered card's, at a path at which the card has proven another
    /// one; `nil` if there is none.
    private func falseKey(in wallet: WatchWallet) throws(StoreError) -> WalletError? {
        let keys = wallet.descriptors.flatMap(\.keys)
        for card in try cards() {
            for key in keys {
                guard let origin = key.origin, origin.fingerprint == card.fingerprint,
                    case .extended(let claimed) = key.material,
                    let proven = try provenAccount(of: card.publicKey, at: origin.path)?.key,
                    claimed.publicKey != proven.publicKey || claimed.chainCode != proven.chainCode
                else { continue }
                return .falseKey(origin, card.ident)
            }
        }
        return nil
    }

    /// Confirms that no card which the store remembers has proven another key where a wallet says to have one of it.
    /// - Throws: `.falseKey`, `.store`.
    func requireKeysOfKnownCards(in wallet: WatchWallet) throws(WalletError) {
        let fault: WalletError?
        do throws(StoreError) { fault = try falseKey(in: wallet) } catch { throw .store(error) }
        if let fault { throw fault }
    }
}
