/// A leaf of a taproot output's script tree, with its proof.
///
/// Spec: BIP-371, `PSBT_IN_TAP_LEAF_SCRIPT`; BIP-341 for control blocks.
public struct TaprootLeafScript: Hashable, Sendable {
    /// Leaf version and parity, internal key, and the Merkle path to the root: 33 bytes, and 32 for each step.
    public let controlBlock: [UInt8]
    /// The leaf's script; its meaning depends on the version.
    public let script: Script
    /// The leaf's version, 0xC0 for all current scripts.
    public let leafVersion: UInt8

    /// The script as miniscript; `nil` unless it is of the current version and can be read. Reads it each time. Not known to
    /// be in the output key.
    ///
    /// Spec: BIP-379.
    public var miniscript: Miniscript<ScriptKey>? {
        leafVersion == Descriptor.TaprootScripts.leafVersion ? Miniscript(script, in: .tapscript) : nil
    }

    fileprivate var record: PSBTRecord {
        PSBTRecord(
            type: PSBTInputType.tapLeafScript.rawValue, keyData: controlBlock[...],
            value: (script.bytes + [leafVersion])[...])
    }

    init(controlBlock: [UInt8], script: Script, leafVersion: UInt8) {
        self.controlBlock = controlBlock
        self.script = script
        self.leafVersion = leafVersion
    }

    fileprivate init?(_ record: PSBTRecord) {
        guard let version = record.value.last else { return nil }
        self.init(controlBlock: Array(record.keyData), script: Script(record.value.dropLast()), leafVersion: version)
    }
}

/// Fields that only taproot inputs and outputs have.
///
/// Spec: BIP-371.
extension PSBT.Input {
    /// The internal key's x coordinate, 32 bytes; not known to give the output key.
    public var taprootInternalKey: [UInt8]? {
        get { map.value(PSBTInputType.tapInternalKey.rawValue).map { Array($0) } }
        set { map.set(PSBTInputType.tapInternalKey.rawValue, newValue?[...]) }
    }

    /// The root of the script tree, 32 bytes; not known to be in the output key.
    public var taprootMerkleRoot: [UInt8]? {
        get { map.value(PSBTInputType.tapMerkleRoot.rawValue).map { Array($0) } }
        set { map.set(PSBTInputType.tapMerkleRoot.rawValue, newValue?[...]) }
    }

    /// Adds an x-only key's origin, or replaces it.
    public mutating func addTaprootDerivation(_ derivation: TaprootKeyDerivation) {
        map.set(derivation.record(PSBTInputType.tapDerivation.rawValue))
    }

    /// The leaves that can be used for spending; not known to be in the output key.
    public var taprootLeafScripts: [TaprootLeafScript] {
        map.records(ofType: PSBTInputType.tapLeafScript.rawValue).compactMap { TaprootLeafScript($0) }
    }

    /// Adds a leaf, or replaces it.
    public mutating func addTaprootLeafScript(_ leaf: TaprootLeafScript) { map.set(leaf.record) }
}

extension PSBT.Output {
    /// The internal key's x coordinate, 32 bytes; not known to give the output key.
    public var taprootInternalKey: [UInt8]? {
        get { map.value(PSBTOutputType.tapInternalKey.rawValue).map { Array($0) } }
        set { map.set(PSBTOutputType.tapInternalKey.rawValue, newValue?[...]) }
    }

    /// The script tree: depth, leaf version and script of each leaf; not known to be in the output key.
    public var taprootTree: [UInt8]? {
        get { map.value(PSBTOutputType.tapTree.rawValue).map { Array($0) } }
        set { map.set(PSBTOutputType.tapTree.rawValue, newValue?[...]) }
    }

    /// Adds an x-only key's origin, or replaces it.
    public mutating func addTaprootDerivation(_ derivation: TaprootKeyDerivation) {
        map.set(derivation.record(PSBTOutputType.tapDerivation.rawValue))
    }
}
