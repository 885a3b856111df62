extension Descriptor {
    /// The extended keys of the descriptor with their origins, as a PSBT carries them for the cosigners of a multisig; those
    /// whose origin is not said, or does not go with their depth, are left out. Private keys are not among them.
    ///
    /// Spec: BIP-174, `PSBT_GLOBAL_XPUB`.
    public var extendedKeyDerivations: [ExtendedKeyDerivation] {
        keys.compactMap { key in
            guard case .extended(let extended) = key.material else { return nil }
            let own = KeyOrigin(fingerprint: extended.fingerprint, path: DerivationPath())
            return ExtendedKeyDerivation(extended, origin: key.origin ?? own)
        }
    }
}
