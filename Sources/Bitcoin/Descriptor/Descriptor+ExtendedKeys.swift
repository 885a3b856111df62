extension Descriptor {
    /// The extended keys of the descriptor with their origins, as a PSBT carries them for the cosigners of a multisig. Keys
    /// without an origin, or whose origin does not match their depth, are left out. Private keys are never included.
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
