import Bitcoin

/// Who may spend an input's script.
enum InputPolicy: Hashable, Sendable {
    /// Whoever has one key.
    case singleKey
    /// So many of several.
    case multisig(MultisigPolicy)
    /// Several under conditions.
    case conditions(ConditionsPolicy)
    /// Nobody knows: an unknown script.
    case other

    /// - Parameter ownKeys: the keys of the script that are proven to be ours.
    init(_ script: SpendingScript, derivations: [KeyDerivation], ownKeys: Set<[UInt8]>) {
        if let multisig = MultisigPolicy(script, derivations: derivations) {
            self = .multisig(multisig)
            return
        }
        switch script.template {
        case .p2pk, .p2pkh: self = .singleKey
        default:
            guard let miniscript = script.miniscript else {
                self = .other
                return
            }
            let origins = ConditionsPolicy.origins(of: miniscript, in: derivations)
            self = .conditions(ConditionsPolicy(script, miniscript, origins: origins, ownKeys: ownKeys))
        }
    }
}
