import Bitcoin

/// The order of cosigners in multisig scripts: sorted in each script (BIP-67), or the same in all.
///
/// Spec: BIP-67; BIP-383 (`multi`, `sortedmulti`).
struct CosignerOrder {
    private var isSortedEverywhere = true
    /// The cosigners in the order that all scripts share; `nil` if they differ, or none was seen.
    private var common: [MultisigPolicy.Cosigner?]?
    private var isEmpty = true

    /// Learns from an input's script.
    mutating func learn(from multisig: MultisigScript, derivations: [KeyDerivation]) {
        let cosigners = MultisigPolicy.cosigners(of: multisig, derivations: derivations)
        common = isEmpty || common == cosigners ? cosigners : nil
        isEmpty = false
        if !multisig.isSorted { isSortedEverywhere = false }
    }

    /// Whether a script's keys are in the order of the learned scripts, by either of the two rules.
    func fits(_ multisig: MultisigScript, derivations: [KeyDerivation]) -> Bool {
        if isSortedEverywhere, multisig.isSorted { return true }
        return common == MultisigPolicy.cosigners(of: multisig, derivations: derivations)
    }
}
