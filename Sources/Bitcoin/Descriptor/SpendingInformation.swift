/// A wallet's output with all that a PSBT says about it: as an input's coin, or as change.
///
/// Spec: BIP-174, BIP-371.
public struct SpendingInformation: Hashable, Sendable {
    /// What only taproot outputs have.
    public struct Taproot: Hashable, Sendable {
        /// The internal key's x coordinate, 32 bytes.
        public let internalKey: [UInt8]
        /// The root of the script tree, 32 bytes; `nil` without scripts.
        public let merkleRoot: [UInt8]?
        /// The tree as in an output of a PSBT: depth, leaf version and script of each leaf, in depth-first order;
        /// empty without scripts.
        public let tree: [UInt8]
        /// The same leaves as in an input, each with its control block.
        public let leaves: [TaprootLeafScript]
        /// Every key with a known origin, once, with the leaves that contain it.
        public let derivations: [TaprootKeyDerivation]
    }

    /// The locking script.
    public let scriptPubKey: Script
    /// The script behind a P2SH output; `nil` for others, and when only an address is known.
    public let redeemScript: Script?
    /// The script behind a P2WSH program; `nil` for others, and when only an address is known.
    public let witnessScript: Script?
    /// Every key with a known origin, once, in the descriptor's order; empty for taproot.
    public let derivations: [KeyDerivation]
    /// What only taproot outputs have; `nil` for others.
    public let taproot: Taproot?
    /// The encoded length of the key behind a key hash: 33, or 65 for an uncompressed one.
    let publicKeyLength: Int

    /// What is known about an output with this script.
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
    /// - Throws: `SpendingScript.Problem` when a script that the locking script needs is missing, as for an address.
    public func spendingScript() throws(SpendingScript.Problem) -> SpendingScript {
        try SpendingScript(scriptPubKey: scriptPubKey, redeemScript: redeemScript, witnessScript: witnessScript)
    }

    /// The weight that signing adds to an input; see `SpendingScript.estimatedSatisfactionWeight`.
    /// - Returns: `nil` when it cannot be known: a script is missing, or it is not a single key, multisig, miniscript or
    ///   taproot key.
    public var satisfactionWeight: Int? { signing?.weight }

    /// The same in a transaction with certain locks: for miniscript, of the smallest witness that they open.
    public func satisfactionWeight(with locks: InputLocks) -> Int? {
        guard signing != nil else { return nil }
        return (try? spendingScript())?.satisfactionWeight(publicKeyLength: publicKeyLength, locks: locks)
    }

    /// Whether an input that spends the output has a witness; `nil` when unknown.
    public var hasWitness: Bool? { (try? spendingScript()).map { $0.signatureRules != .legacy } }

    /// Both, opening the script once.
    var signing: (weight: Int, hasWitness: Bool)? {
        guard let script = try? spendingScript() else { return nil }
        switch script.template {
        case .p2pk, .p2pkh, .multisig, .p2tr: break
        case .nonStandard where script.miniscript?.type.contains(.safe) == true: break
        case .p2sh, .p2wpkh, .p2wsh, .futureWitness, .nullData, .nonStandard: return nil
        }
        return (script.satisfactionWeight(publicKeyLength: publicKeyLength), script.signatureRules != .legacy)
    }
}
