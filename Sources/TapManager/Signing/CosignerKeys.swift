import Bitcoin

/// Extended keys of cosigners that the inputs' scripts prove: each derives a key that stands in every one of our inputs.
///
/// One input is not enough: anybody can pay a little to a script of our key and his own, under the cosigners' names.
///
/// Spec: threats, "The PSBT lies".
struct CosignerKeys: Sendable {
    /// One of several holders of keys: the one who has the extended keys that derive the same key of an input.
    typealias Holder = Int

    /// What the proven extended keys say of a key.
    enum Word: Sendable, Equatable {
        /// One of them derives it.
        case proven(Holder)
        /// All of the cosigner's are there, and none derives it.
        case refuted
        /// Nothing.
        case none
    }

    /// More extended keys with the same origin than a script has keys are of no use to anybody but an attacker.
    private static let maximumKeys = 20

    private var accounts: [MultisigPolicy.Cosigner: [ExtendedPublicKey]] = [:]
    private var inputCount = 0
    private var hits: [ExtendedPublicKey: Int] = [:]
    private var holders: [ExtendedPublicKey: Holder] = [:]

    /// Takes a PSBT's extended keys (BIP-174, global field), none of them proven yet.
    init(_ keys: [ExtendedKeyDerivation]) {
        for key in keys {
            guard let extendedKey = key.extendedPublicKey else { continue }
            let cosigner = MultisigPolicy.Cosigner(fingerprint: key.origin.fingerprint, account: key.origin.path)
            guard accounts[cosigner, default: []].count < Self.maximumKeys else { continue }
            accounts[cosigner, default: []].append(extendedKey)
            holders[extendedKey] = holders.count
        }
    }

    /// Learns from an input's script which extended keys are true, and which of them are one holder's. An extended key
    /// whose own key stands in the script is not: nothing there proves its chain code.
    mutating func learn(from script: SpendingScript, derivations: [KeyDerivation]) {
        inputCount += 1
        var found: Set<ExtendedPublicKey> = []
        for derivation in derivations {
            let candidates = candidates(derivation).filter { !$0.rest.steps.isEmpty }
            guard !candidates.isEmpty, script.names(publicKey: derivation.publicKey) else { continue }
            let deriving = candidates.filter { Self.derives($0.key, $0.rest, derivation.publicKey) }.map(\.key)
            found.formUnion(deriving)
            unite(deriving)
        }
        for extendedKey in found { hits[extendedKey, default: 0] += 1 }
    }

    /// What is known of a key that a derivation gives to a cosigner.
    /// - Parameter siblings: how many keys of the same script are given to the same cosigner.
    func word(on derivation: KeyDerivation, siblings: Int) -> Word {
        let proven = candidates(derivation).filter { hits[$0.key] == inputCount }
        let deriving = proven.first { Self.derives($0.key, $0.rest, derivation.publicKey) }
        if let holder = deriving.flatMap({ holders[$0.key] }) { return .proven(holder) }
        return proven.isEmpty || proven.count < siblings ? .none : .refuted
    }

    /// Makes one holder of those who have these extended keys.
    private mutating func unite(_ keys: [ExtendedPublicKey]) {
        let united = Set(keys.compactMap { holders[$0] })
        guard united.count > 1, let holder = united.min() else { return }
        for (key, present) in holders where united.contains(present) { holders[key] = holder }
    }

    /// The extended keys on the derivation's path, with the steps that lead from each to its key.
    private func candidates(_ derivation: KeyDerivation) -> [(key: ExtendedPublicKey, rest: DerivationPath)] {
        let steps = derivation.path.steps
        return (0...min(CardPath.maximumSubpathDepth, steps.count)).flatMap { depth in
            let cosigner = MultisigPolicy.Cosigner(
                fingerprint: derivation.fingerprint, account: DerivationPath(steps.dropLast(depth)))
            return (accounts[cosigner] ?? []).map { (key: $0, rest: DerivationPath(steps.suffix(depth))) }
        }
    }

    private static func derives(_ extendedKey: ExtendedPublicKey, _ rest: DerivationPath, _ key: [UInt8]) -> Bool {
        (try? extendedKey.descendant(rest))?.publicKey.bytes == key
    }
}
