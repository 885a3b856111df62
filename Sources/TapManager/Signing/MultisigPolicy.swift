import Bitcoin

/// Who may spend a multisig script: what must be the same in a change output as in the inputs.
struct MultisigPolicy: Hashable, Sendable {
    /// A cosigner, as far as a PSBT names one.
    struct Cosigner: Hashable, Sendable {
        let fingerprint: Fingerprint
        /// The path without its last two unhardened steps.
        let account: DerivationPath
    }

    let form: SpendingScript.Form
    let threshold: Int
    /// Each key's cosigner, in an order that does not depend on the script; `nil` stands for a key without derivation.
    let cosigners: [Cosigner?: Int]

    /// `nil` when the script is no multisig.
    init?(_ script: SpendingScript, derivations: [KeyDerivation]) {
        guard case .multisig(let multisig) = script.template else { return nil }
        var origins: [[UInt8]: Cosigner] = [:]
        for derivation in derivations {
            origins[derivation.publicKey] = Cosigner(
                fingerprint: derivation.fingerprint, account: Self.account(of: derivation.path))
        }
        form = script.form
        threshold = multisig.threshold
        cosigners = Dictionary(grouping: multisig.keys, by: { origins[$0] }).mapValues(\.count)
    }

    private static func account(of path: DerivationPath) -> DerivationPath {
        let normal = path.steps.reversed().prefix { !$0.isHardened }.count
        return DerivationPath(path.steps.dropLast(min(normal, CardPath.maximumSubpathDepth)))
    }
}

/// Extended keys of cosigners that the inputs' scripts prove: each derives a key that stands in every one of our inputs.
///
/// One input is not enough: anybody can pay a little to a script of our key and his own, under the cosigners' names.
struct CosignerKeys: Sendable {
    /// What the proven extended keys say of a key.
    enum Word: Sendable {
        /// One of them derives it.
        case proven
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

    /// Takes a PSBT's extended keys (BIP-174, global field), none of them proven yet.
    init(_ keys: [ExtendedKeyDerivation]) {
        for key in keys {
            guard let extendedKey = key.extendedPublicKey else { continue }
            let cosigner = MultisigPolicy.Cosigner(fingerprint: key.origin.fingerprint, account: key.origin.path)
            guard accounts[cosigner, default: []].count < Self.maximumKeys else { continue }
            accounts[cosigner, default: []].append(extendedKey)
        }
    }

    /// Learns from an input's script which extended keys are true. An extended key whose own key stands in the script
    /// is not: nothing there proves its chain code.
    mutating func learn(from script: SpendingScript, derivations: [KeyDerivation]) {
        inputCount += 1
        var found: Set<ExtendedPublicKey> = []
        for derivation in derivations {
            let candidates = candidates(derivation).filter { !$0.rest.steps.isEmpty }
            guard !candidates.isEmpty, script.names(publicKey: derivation.publicKey) else { continue }
            for (extendedKey, rest) in candidates {
                if Self.derives(extendedKey, rest, derivation.publicKey) { found.insert(extendedKey) }
            }
        }
        for extendedKey in found { hits[extendedKey, default: 0] += 1 }
    }

    /// What is known of a key that a derivation gives to a cosigner.
    /// - Parameter siblings: how many keys of the same script are given to the same cosigner.
    func word(on derivation: KeyDerivation, siblings: Int) -> Word {
        let proven = candidates(derivation).filter { hits[$0.key] == inputCount }
        if proven.contains(where: { Self.derives($0.key, $0.rest, derivation.publicKey) }) { return .proven }
        return proven.isEmpty || proven.count < siblings ? .none : .refuted
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
