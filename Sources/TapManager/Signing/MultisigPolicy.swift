import Bitcoin

/// Who may spend a multisig script: a change output must have the same policy as the inputs.
struct MultisigPolicy: Hashable, Sendable {
    /// A cosigner, as far as a PSBT names one.
    struct Cosigner: Hashable, Sendable {
        let fingerprint: Fingerprint
        /// The path without its last two unhardened steps.
        let account: DerivationPath

        init(fingerprint: Fingerprint, account: DerivationPath) {
            (self.fingerprint, self.account) = (fingerprint, account)
        }

        /// Whose key a derivation claims that it is.
        init(_ derivation: KeyDerivation) {
            let normal = derivation.path.steps.reversed().prefix { !$0.isHardened }.count
            fingerprint = derivation.fingerprint
            account = DerivationPath(derivation.path.steps.dropLast(min(normal, CardPath.maximumSubpathDepth)))
        }
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
            origins[derivation.publicKey] = Cosigner(derivation)
        }
        return multisig.keys.map { origins[$0] }
    }
}
