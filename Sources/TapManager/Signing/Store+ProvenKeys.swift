import Bitcoin
import TapProtocol

extension Store {
    /// A card's keys at every account that a PSBT uses, as the store has them proven.
    /// - Parameters:
    ///   - cardKey: the card's own key.
    ///   - fingerprint: of the card's master key.
    /// - Returns: `nil` if one of them was never proven.
    /// - Throws: `SigningRefusal` for a PSBT that uses too many accounts; the store's error if it cannot be read.
    func provenKeys(
        of cardKey: PublicKey, _ fingerprint: Fingerprint, for planner: SigningPlanner
    ) throws -> SignerKeys? {
        var keys = SignerKeys(masterFingerprint: fingerprint)
        for path in try planner.accounts(of: fingerprint) {
            guard let known = try provenAccount(of: cardKey, at: path) else { return nil }
            keys.add(known.key, at: path)
        }
        return keys
    }

    /// What follows from a PSBT with the keys of the first remembered card that has all of its inputs, at one account.
    /// Every script is derived anew from the key that the card proved. So nothing written next to a transaction can
    /// turn an output into change, and a key that someone else wrote into the store does not derive the inputs.
    /// - Returns: `nil` if no such card is known, or the store cannot be read.
    func contextOfKnownCard(_ planner: SigningPlanner, of psbt: PSBT) -> SigningContext? {
        let named = Set(psbt.inputs.lazy.flatMap { $0.derivations.map(\.fingerprint) })
        guard !named.isEmpty, let cards = try? cards() else { return nil }
        for card in cards {
            guard let fingerprint = card.fingerprint, named.contains(fingerprint),
                let keys = (try? provenKeys(of: card.publicKey, fingerprint, for: planner)) ?? nil
            else { continue }
            let context = planner.context(keys: keys)
            let own = context.claims.map { Set($0.compactMap { $0.proven?.path.account }) }
            guard let account = own.first, account.count == 1, own.allSatisfy({ $0 == account }) else { continue }
            let isOpen = context.changes.contains { $0.path != nil && !$0.isProven }
            guard isOpen, let known = try? storedWallets(of: fingerprint), !known.isEmpty else { return context }
            return planner.knowing(known).context(keys: keys)
        }
        return nil
    }
}
