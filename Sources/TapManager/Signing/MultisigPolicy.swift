import Bitcoin

/// Who may spend a multisig script: a change output must have the same policy as the inputs.
struct MultisigPolicy: Hashable, Sendable {
    /// A cosigner, as far as a PSBT names one.
    struct Cosigner: Hashable, Sendable {
        let fingerprint: Fingerprint
        /// The path without its last two unhardened steps.
        let account: DerivationPath
    }

    let form: SpendingScript.Form
    let threshold: Int
    /// How many keys each cosigner has, whatever the script's order; `nil` stands for keys without derivation.
    let cosigners: [Cosigner?: Int]

    /// `nil` if the script is not a multisig.
    init?(_ script: SpendingScript, derivations: [KeyDerivation]) {
        guard case .multisig(let multisig) = script.template else { return nil }
        form = script.form
        threshold = multisig.threshold
        cosigners = Dictionary(grouping: Self.cosigners(of: multisig, derivations: derivations), by: { $0 })
            .mapValues(\.count)
    }

    /// Each key's cosigner, in the script's order; `nil` stands for a key without derivation.
    static func cosigners(of multisig: MultisigScript, derivations: [KeyDerivation]) -> [Cosigner?] {
        var origins: [[UInt8]: Cosigner] = [:]
        for derivation in derivations {
            origins[derivation.publicKey] = Cosigner(
                fingerprint: derivation.fingerprint, account: account(of: derivation.path))
        }
        return multisig.keys.map { origins[$0] }
    }

    private static func account(of path: DerivationPath) -> DerivationPath {
        let normal = path.steps.reversed().prefix { !$0.isHardened }.count
        return DerivationPath(path.steps.dropLast(min(normal, CardPath.maximumSubpathDepth)))
    }
}
