import Bitcoin

/// Cosigners' extended keys that the inputs' scripts prove: each derives a key in every one of our inputs.
///
/// One input is not enough: anyone can pay a little to a script of our key and theirs, in the cosigners' names.
///
/// Spec: threats, "The PSBT lies".
struct CosignerKeys: Sendable {
    /// One of several key holders: whoever has the extended keys that derive the same key of an input.
    typealias Holder = Int

    /// What the proven extended keys show about a key.
    enum Word: Sendable, Equatable {
        /// One of them derives it.
        case proven(Holder)
        /// All extended keys of the cosigner are proven, and none derives it.
        case refuted
        /// Nothing.
        case none
    }

    /// No honest PSBT has more extended keys of the same origin than a script can have keys.
    private static let maximumKeys = 20

    private var accounts: [MultisigPolicy.Cosigner: [ExtendedPublicKey]] = [:]
    private var inputCount = 0
    private var hits: [ExtendedPublicKey: Int] = [:]
    private var holders = HolderSets()

    /// Takes extended keys, those of a PSBT (BIP-174, global field) and others; none is proven yet.
    init(_ keys: [ExtendedKeyDerivation]) {
        for key in keys {
            guard let extendedKey = key.extendedPublicKey else { continue }
            let cosigner = MultisigPolicy.Cosigner(fingerprint: key.origin.fingerprint, account: key.origin.path)
            let present = accounts[cosigner, default: []]
            guard present.count < Self.maximumKeys, !present.contains(extendedKey) else { continue }
            accounts[cosigner, default: []].append(extendedKey)
            holders.add(extendedKey)
        }
    }

    /// Learns from an input's script which extended keys are genuine, and which belong to one holder. If an extended
    /// key's own key is in the script, that does not prove its chain code. Nor does an extended key count if its key is
    /// at other steps than the card's: its other keys would be where nobody looks for them.
    /// - Parameters:
    ///   - place: the unhardened steps to the card's key.
    ///   - onAnyBranch: whether only the last of these steps counts: policies can have keys of one person on several
    ///     branches, which whoever uses what is learned must compare.
    mutating func learn(
        from script: SpendingScript, derivations: [KeyDerivation], at place: DerivationPath, onAnyBranch: Bool = false
    ) {
        inputCount += 1
        var found: Set<ExtendedPublicKey> = []
        let same = onAnyBranch ? place.steps.suffix(1) : place.steps[...]
        for derivation in derivations {
            guard derivation.path.steps.suffix(same.count) == same else { continue }
            let candidates = candidates(derivation, place).filter { !$0.rest.steps.isEmpty }
            guard !candidates.isEmpty, script.names(publicKey: derivation.publicKey) else { continue }
            let deriving = candidates.filter { Self.derives($0.key, $0.rest, derivation.publicKey) }.map(\.key)
            found.formUnion(deriving)
            holders.unite(deriving)
        }
        for extendedKey in found { hits[extendedKey, default: 0] += 1 }
    }

    /// What is known about a key that a derivation assigns to a cosigner.
    /// - Parameters:
    ///   - siblings: how many keys of the script are assigned to the same cosigner.
    ///   - place: the unhardened steps to the card's key.
    func word(on derivation: KeyDerivation, siblings: Int, at place: DerivationPath) -> Word {
        let proven = candidates(derivation, place).filter { hits[$0.key] == inputCount }
        let deriving = proven.first { Self.derives($0.key, $0.rest, derivation.publicKey) }
        if let holder = deriving.flatMap({ holders.holder(of: $0.key) }) { return .proven(holder) }
        return proven.isEmpty || proven.count < siblings ? .none : .refuted
    }

    /// The extended keys on the derivation's path, with the steps from each to its key: no more steps than to the
    /// card's.
    private func candidates(
        _ derivation: KeyDerivation, _ place: DerivationPath
    ) -> [(key: ExtendedPublicKey, rest: DerivationPath)] {
        let steps = derivation.path.steps
        return (0...min(place.steps.count, steps.count)).flatMap { depth in
            let cosigner = MultisigPolicy.Cosigner(
                fingerprint: derivation.fingerprint, account: DerivationPath(steps.dropLast(depth)))
            return (accounts[cosigner] ?? []).map { (key: $0, rest: DerivationPath(steps.suffix(depth))) }
        }
    }

    private static func derives(_ extendedKey: ExtendedPublicKey, _ rest: DerivationPath, _ key: [UInt8]) -> Bool {
        (try? extendedKey.descendant(rest))?.publicKey.bytes == key
    }
}
