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
    let isSorted: Bool
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
        isSorted = multisig.isSorted
        cosigners = Dictionary(grouping: multisig.keys, by: { origins[$0] }).mapValues(\.count)
    }

    private static func account(of path: DerivationPath) -> DerivationPath {
        let normal = path.steps.reversed().prefix { !$0.isHardened }.count
        return DerivationPath(path.steps.dropLast(min(normal, CardPath.maximumSubpathDepth)))
    }
}

/// Extended keys of cosigners that the inputs' scripts prove: each derives a key that stands in what is spent.
struct CosignerKeys: Sendable {
    private var accounts: [MultisigPolicy.Cosigner: ExtendedPublicKey] = [:]
    private var proven: Set<MultisigPolicy.Cosigner> = []

    /// Takes a PSBT's extended keys (BIP-174, global field), none of them proven yet.
    init(_ keys: [ExtendedKeyDerivation]) {
        for key in keys {
            guard let extendedKey = key.extendedPublicKey else { continue }
            accounts[MultisigPolicy.Cosigner(fingerprint: key.origin.fingerprint, account: key.origin.path)] =
                extendedKey
        }
    }

    /// Learns from an input's script which extended keys are true. An extended key whose own key stands in the script
    /// is not: nothing there proves its chain code.
    mutating func learn(from script: SpendingScript, derivations: [KeyDerivation]) {
        for derivation in derivations where script.names(publicKey: derivation.publicKey) {
            guard let (cosigner, key) = derived(derivation), key == derivation.publicKey,
                cosigner.account != derivation.path
            else { continue }
            proven.insert(cosigner)
        }
    }

    /// Whether a key derives from an extended key that the inputs prove.
    func proves(_ derivation: KeyDerivation) -> Bool {
        guard let (cosigner, key) = derived(derivation) else { return false }
        return proven.contains(cosigner) && key == derivation.publicKey
    }

    /// The cosigner whose account lies on the derivation's path, and the key that the account has there.
    private func derived(_ derivation: KeyDerivation) -> (MultisigPolicy.Cosigner, [UInt8])? {
        for depth in 0...CardPath.maximumSubpathDepth where depth <= derivation.path.steps.count {
            let account = DerivationPath(derivation.path.steps.dropLast(depth))
            let cosigner = MultisigPolicy.Cosigner(fingerprint: derivation.fingerprint, account: account)
            guard let key = accounts[cosigner] else { continue }
            let rest = DerivationPath(derivation.path.steps.suffix(depth))
            guard let descendant = try? key.descendant(rest) else { return nil }
            return (cosigner, descendant.publicKey.bytes)
        }
        return nil
    }
}
