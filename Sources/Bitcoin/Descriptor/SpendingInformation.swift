/// An output of a wallet with all that a PSBT says of it: as an input's coin, or as change.
///
/// Spec: BIP-174, BIP-371.
public struct SpendingInformation: Hashable, Sendable {
    /// What only taproot outputs have.
    public struct Taproot: Hashable, Sendable {
        /// The internal key's x coordinate, 32 bytes.
        public let internalKey: [UInt8]
        /// The root of the tree of scripts, 32 bytes; `nil` without scripts.
        public let merkleRoot: [UInt8]?
        /// The tree as an output of a PSBT carries it: depth, leaf version and script of each leaf, in depth-first order;
        /// empty without scripts.
        public let tree: [UInt8]
        /// The same leaves as an input carries them, each with its control block.
        public let leaves: [TaprootLeafScript]
        /// Every key that is known to come from somewhere, once, with the leaves that have it.
        public let derivations: [TaprootKeyDerivation]
    }

    /// The locking script.
    public let scriptPubKey: Script
    /// The script behind a P2SH output; `nil` for others, and for an address alone.
    public let redeemScript: Script?
    /// The script behind a P2WSH program; `nil` for others, and for an address alone.
    public let witnessScript: Script?
    /// Every key that is known to come from somewhere, once, in the descriptor's order; none for taproot.
    public let derivations: [KeyDerivation]
    /// What only taproot outputs have; `nil` for others.
    public let taproot: Taproot?
    /// The length of the encoding of the key behind a key hash: 33, or 65 for an uncompressed one.
    let publicKeyLength: Int

    /// What is known of an output of this script.
    /// - Parameter publicKeyLength: of the key behind a key hash, 33 or 65 bytes.
    public init(
        scriptPubKey: Script, redeemScript: Script? = nil, witnessScript: Script? = nil,
        derivations: [KeyDerivation] = [], taproot: Taproot? = nil, publicKeyLength: Int = PublicKey.length
    ) {
        self.scriptPubKey = scriptPubKey
        self.redeemScript = redeemScript
        self.witnessScript = witnessScript
        self.derivations = derivations
        self.taproot = taproot
        self.publicKeyLength = publicKeyLength
    }

    /// The script that is executed.
    /// - Throws: `SpendingScript.Problem` where a script is missing that the locking script calls for: of an address.
    public func spendingScript() throws(SpendingScript.Problem) -> SpendingScript {
        try SpendingScript(scriptPubKey: scriptPubKey, redeemScript: redeemScript, witnessScript: witnessScript)
    }

    /// The weight that signing adds to an input, as `SpendingScript.estimatedSatisfactionWeight` counts it.
    /// - Returns: `nil` when it cannot be known: a script is missing, or no single key, multisig or taproot key.
    public var satisfactionWeight: Int? { signing?.weight }

    /// Whether an input that spends the output has a witness; `nil` when that cannot be known.
    public var hasWitness: Bool? { (try? spendingScript()).map { $0.signatureRules != .legacy } }

    /// Both, opening the script once.
    var signing: (weight: Int, hasWitness: Bool)? {
        guard let script = try? spendingScript() else { return nil }
        switch script.template {
        case .p2pk, .p2pkh, .multisig, .p2tr:
            return (script.satisfactionWeight(publicKeyLength: publicKeyLength), script.signatureRules != .legacy)
        case .p2sh, .p2wpkh, .p2wsh, .futureWitness, .nullData, .nonStandard: return nil
        }
    }
}
