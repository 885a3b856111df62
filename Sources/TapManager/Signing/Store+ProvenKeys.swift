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
        return try adding(earlierKeysOf: cardKey, for: planner, to: keys)
    }

    /// What the stored PSBT of the same transaction says about keys that have signed, and a PSBT to sign leaves out.
    func earlierClaims(for psbt: PSBT) throws(StoreError) -> [Int: EarlierClaims] {
        guard let stored = try transaction(psbt.unsignedTransaction.id) else { return [:] }
        return psbt.earlierClaims(of: stored.psbt)
    }

    /// A card's keys with those that it has proven where a planner's earlier claims say that it signed.
    /// - Parameter cardKey: the card's own key.
    func adding(
        earlierKeysOf cardKey: PublicKey, for planner: SigningPlanner, to keys: SignerKeys
    ) throws(StoreError) -> SignerKeys {
        let paths = planner.earlierAccounts(of: keys.masterFingerprint).subtracting(keys.accounts.keys)
        guard !paths.isEmpty else { return keys }
        var keys = keys
        for account in try provenAccounts(of: cardKey) where paths.contains(account.path) {
            keys.add(account.key, at: account.path)
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
            guard let fingerprint = card.fingerprint ?? self.fingerprint(named: psbt, ofKeysOf: card.publicKey),
                named.contains(fingerprint),
                let keys = (try? provenKeys(of: card.publicKey, fingerprint, for: planner)) ?? nil
            else { continue }
            let context = planner.context(keys: keys)
            let own = context.claims.map { Set($0.compactMap { $0.proven?.path.account }) }
            guard let account = own.first, account.count == 1, own.allSatisfy({ $0 == account }) else { continue }
            let isOpen = context.changes.contains { $0.path != nil && !$0.isProven }
            guard isOpen, let known = try? storedWallets(of: keys), !known.isEmpty else { return context }
            return planner.knowing(known).context(keys: keys)
        }
        return nil
    }

    /// The fingerprint by which a PSBT's first inputs name a card's keys, if the card has proven the account but never
    /// its master key, as when it only signed.
    private func fingerprint(named psbt: PSBT, ofKeysOf cardKey: PublicKey) -> Fingerprint? {
        psbt.inputs.lazy.prefix(Self.inputsToIdentify).flatMap(\.derivations).first {
            isKey($0, ofCard: cardKey)
        }?.fingerprint
    }

    /// Whether a key is of an account that a card has proven, whatever fingerprint the PSBT gives it.
    private func isKey(_ derivation: KeyDerivation, ofCard cardKey: PublicKey) -> Bool {
        guard let path = CardPath(derivation.path), let key = derivation.key,
            let account = (try? provenAccount(of: cardKey, at: path.account)) ?? nil
        else { return false }
        return (try? account.key.descendant(path.subpath))?.publicKey == key
    }

    /// Whether a remembered card has signed a transaction, all of it: validly, with a key of an account that it has
    /// proven. What the PSBT says of its keys only tells where to look.
    /// - Parameter made: the signatures that count, by input; `nil`: all.
    func isSignedByRememberedCard(
        _ psbt: PSBT, counting made: [Int: [PartialSignature]]? = nil
    ) throws(StoreError) -> Bool {
        let cards = try cards()
        let cache = SighashCache(psbt.unsignedTransaction)
        for (index, input) in psbt.inputs.enumerated() {
            let keys = input.derivations.filter { derivation in
                cards.contains { isKey(derivation, ofCard: $0.publicKey) }
            }.map(\.publicKey)
            let signatures = input.partialSignatures.filter { signature in
                signature.sighashType == .all && keys.contains(signature.publicKey)
                    && made.map { $0[index]?.contains(signature) ?? false } ?? true
            }
            if !psbt.validPartialSignatures(signatures, ofInput: index, using: cache).isEmpty { return true }
        }
        return false
    }

    /// All inputs must be the card's, so the first one would do; some PSBTs lack paths there.
    private static var inputsToIdentify: Int { 3 }
}
