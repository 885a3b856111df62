import Bitcoin

/// In which order multisig scripts name their cosigners: each script's own (BIP-67), or one for all.
///
/// Spec: BIP-67; BIP-383 (`multi`, `sortedmulti`).
struct CosignerOrder {
    private var isSortedEverywhere = true
    /// The cosigners in the order that all scripts have; `nil` when they differ, or none was seen.
    private var common: [MultisigPolicy.Cosigner?]?
    private var isEmpty = true

    /// Learns from an input's script.
    mutating func learn(from multisig: MultisigScript, derivations: [KeyDerivation]) {
        let cosigners = MultisigPolicy.cosigners(of: multisig, derivations: derivations)
        common = isEmpty || common == cosigners ? cosigners : nil
        isEmpty = false
        if !multisig.isSorted { isSortedEverywhere = false }
    }

    /// Whether a script's keys stand in the order of those that were learned from, by either of the two rules.
    func fits(_ multisig: MultisigScript, derivations: [KeyDerivation]) -> Bool {
        if isSortedEverywhere, multisig.isSorted { return true }
        return common == MultisigPolicy.cosigners(of: multisig, derivations: derivations)
    }
}
