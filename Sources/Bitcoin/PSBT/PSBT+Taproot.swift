/// What only taproot inputs and outputs say.
///
/// Spec: BIP-371.
extension PSBT.Input {
    /// The internal key's x coordinate, 32 bytes; not known to make the output key.
    public var taprootInternalKey: [UInt8]? {
        get { map.value(PSBTInputType.tapInternalKey.rawValue).map { Array($0) } }
        set { map.set(PSBTInputType.tapInternalKey.rawValue, newValue?[...]) }
    }

    /// The root of the tree of scripts, 32 bytes; not known to be in the output key.
    public var taprootMerkleRoot: [UInt8]? {
        get { map.value(PSBTInputType.tapMerkleRoot.rawValue).map { Array($0) } }
        set { map.set(PSBTInputType.tapMerkleRoot.rawValue, newValue?[...]) }
    }

    /// Adds an x-only key's origin, or replaces it.
    public mutating func addTaprootDerivation(_ derivation: TaprootKeyDerivation) {
        map.set(derivation.record(PSBTInputType.tapDerivation.rawValue))
    }
}

extension PSBT.Output {
    /// The internal key's x coordinate, 32 bytes; not known to make the output key.
    public var taprootInternalKey: [UInt8]? {
        get { map.value(PSBTOutputType.tapInternalKey.rawValue).map { Array($0) } }
        set { map.set(PSBTOutputType.tapInternalKey.rawValue, newValue?[...]) }
    }

    /// The tree of scripts: depth, leaf version and script of each leaf; not known to be in the output key.
    public var taprootTree: [UInt8]? {
        get { map.value(PSBTOutputType.tapTree.rawValue).map { Array($0) } }
        set { map.set(PSBTOutputType.tapTree.rawValue, newValue?[...]) }
    }

    /// Adds an x-only key's origin, or replaces it.
    public mutating func addTaprootDerivation(_ derivation: TaprootKeyDerivation) {
        map.set(derivation.record(PSBTOutputType.tapDerivation.rawValue))
    }
}
