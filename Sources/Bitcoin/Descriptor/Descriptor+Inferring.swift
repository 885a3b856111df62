extension Descriptor {
    /// What is known about an output apart from its script.
    public struct Clues: Sendable {
        /// The script behind a P2SH output.
        public var redeemScript: Script?
        /// The script behind a P2WSH program.
        public var witnessScript: Script?
        /// Keys and their origins.
        public var derivations: [KeyDerivation] = []
        /// The internal key of a taproot output without scripts, with its origin.
        public var taprootDerivations: [TaprootKeyDerivation] = []

        /// Nothing is known.
        public init() {}

        /// Everything that a wallet knows about its output.
        public init(_ spending: SpendingInformation) {
            redeemScript = spending.redeemScript
            witnessScript = spending.witnessScript
            derivations = spending.derivations
            taprootDerivations = spending.taproot?.derivations ?? []
        }
    }

    /// The descriptor that tells most about a script: its keys with their origins, if they are known and the script is of a
    /// known kind; else its address; else the script itself. It always describes exactly this script.
    /// - Parameters:
    ///   - clues: what is known; hashes are compared, so wrong clues have no effect.
    ///   - network: for the address.
    ///   - callsSorted: whether a multisig whose keys happen to be in BIP-67's order is called `sortedmulti`. Bitcoin Core
    ///     calls it `multi`.
    ///
    /// Spec: Bitcoin Core, `InferDescriptor`.
    public init(inferredFrom script: Script, clues: Clues = Clues(), network: Network, callsSorted: Bool = false) {
        let inference = Inference(clues: clues, callsSorted: callsSorted)
        // The parser has the rules: how many keys, how long, which encodings.
        if let expression = inference.expression(of: script, depth: 0), let text = Descriptor(expression).text,
            let descriptor = try? Descriptor(parsing: text), (try? descriptor.script()) == script
        {
            self = descriptor
        } else if let address = Address(scriptPubKey: script, network: network) {
            self.init(.address(script, text: address.description))
        } else {
            self.init(.raw(script))
        }
    }
}

/// The search for a script's descriptor.
private struct Inference {
    let clues: Descriptor.Clues
    let callsSorted: Bool

    /// The expression of a script; `nil` when a key, the script behind a hash, or the kind of script is unknown.
    /// - Parameter depth: how many scripts have been opened.
    func expression(of script: Script, depth: Int) -> Descriptor.Expression? {
        switch ScriptTemplate(script) {
        case .p2pk(let publicKey): return .pk(key(publicKey))
        case .p2pkh(let keyHash): return key(hashedAs: keyHash).map { .pkh($0) }
        case .p2wpkh(let keyHash): return key(hashedAs: keyHash).map { .wpkh($0) }
        case .multisig(let multisig):
            return .multi(
                threshold: multisig.threshold, keys: multisig.keys.map { key($0) },
                isSorted: callsSorted && multisig.keys.count > 1 && multisig.isSorted)
        case .p2sh:
            guard depth == 0, let inner = clues.redeemScript, Script.p2sh(inner) == script else { return nil }
            return expression(of: inner, depth: 1).map { .sh($0) }
        case .p2wsh:
            guard depth < 2, let inner = clues.witnessScript, Script.p2wsh(inner) == script else { return nil }
            return expression(of: inner, depth: 2).map { .wsh($0) }
        case .p2tr(let outputKey):
            let internalKey = clues.taprootDerivations.first {
                (try? TaprootOutputKey(internalKey: $0.xOnlyKey))?.bytes == outputKey
            }
            return internalKey.map { .tr(DescriptorKey(origin: $0.origin, material: .xOnly($0.xOnlyKey)), nil) }
        case .futureWitness, .nullData, .nonStandard: return nil
        }
    }

    private func key(_ bytes: [UInt8]) -> DescriptorKey {
        DescriptorKey(
            origin: clues.derivations.first { $0.publicKey == bytes }?.origin, material: .publicKey(bytes))
    }

    private func key(hashedAs hash: [UInt8]) -> DescriptorKey? {
        clues.derivations.first { Hash160.hash($0.publicKey) == hash }.map { key($0.publicKey) }
    }
}
