import ByteCodec

extension Descriptor {
    /// The scripts that it describes: one, except for `combo`, which has two for an uncompressed key and four otherwise.
    /// - Parameters:
    ///   - branch: the branch of a multipath descriptor, from 0.
    ///   - index: the address's index, below 2³¹; without a wildcard it has no effect.
    /// - Throws: `.hardenedStep`, `.noSuchScript`; others only for paths deeper than keys can be.
    public func scripts(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> [Script] {
        guard (0..<branchCount).contains(branch) else { throw .noSuchScript }
        let place = Place(branch: branch, index: index)
        guard case .combo(let key) = expression else { return [try expression.script(place)] }
        let bytes = try key.publicKey(branch: branch, index: index)
        let single = [Script.p2pk(bytes), .p2pkh(bytes)]
        guard let compressed = try? PublicKey(bytes), bytes.count == PublicKey.length else { return single }
        return single + [.p2wpkh(compressed), .p2sh(.p2wpkh(compressed))]
    }

    /// The only script; see `scripts(branch:index:)`.
    public func script(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> Script {
        guard (0..<branchCount).contains(branch) else { throw .noSuchScript }
        return try expression.script(Place(branch: branch, index: index))
    }

    /// Which script to derive.
    struct Place {
        let branch: Int
        let index: UInt32

        /// The script of an expression that has only one.
        static let only = Place(branch: 0, index: 0)
    }
}

extension DescriptorKey {
    func bytes(_ place: Descriptor.Place) throws(DescriptorError) -> [UInt8] {
        // A key with one branch is the same in all branches.
        try publicKey(branch: branchCount == 1 ? 0 : place.branch, index: place.index)
    }

    fileprivate func compressed(_ place: Descriptor.Place) throws(DescriptorError) -> PublicKey {
        let bytes = try bytes(place)
        guard bytes.count == PublicKey.length, let key = try? PublicKey(bytes) else { throw .uncompressedKey }
        return key
    }

    /// The x coordinate.
    func xOnly(_ place: Descriptor.Place) throws(DescriptorError) -> [UInt8] {
        let bytes = try bytes(place)
        return bytes.count == PublicKey.length ? Array(bytes.dropFirst()) : bytes
    }
}

extension Descriptor.Expression {
    func script(_ place: Descriptor.Place) throws(DescriptorError) -> Script {
        switch self {
        case .pk(let key): return .p2pk(try key.bytes(place))
        case .pkh(let key), .combo(let key): return .p2pkh(try key.bytes(place))
        case .wpkh(let key): return .p2wpkh(try key.compressed(place))
        case .multi(let threshold, let keys, let isSorted):
            var encoded: [[UInt8]] = []
            for key in keys { encoded.append(try key.bytes(place)) }
            if isSorted { encoded.sort { $0.lexicographicallyPrecedes($1) } }
            guard let multisig = try? MultisigScript(threshold: threshold, keys: encoded) else { throw .threshold }
            return multisig.script
        case .miniscript(let miniscript): return try miniscript.script(place)
        case .sh(let inner): return .p2sh(try inner.script(place))
        case .wsh(let inner): return .p2wsh(try inner.script(place))
        case .tr(let key, let scripts):
            let root = try scripts?.root(place)
            guard let output = try? TaprootOutputKey(internalKey: key.xOnly(place), merkleRoot: root) else {
                throw .key(.encoding)
            }
            return .p2tr(output)
        case .address(let script, _), .raw(let script): return script
        }
    }
}

extension Descriptor.TaprootScripts {
    static let leafVersion: UInt8 = 0xC0

    /// The Merkle root, which commits to the tree.
    ///
    /// Spec: BIP-341, "Constructing and spending Taproot outputs".
    func root(_ place: Descriptor.Place) throws(DescriptorError) -> [UInt8] {
        guard case .branch(let one, let other) = self else {
            return TaprootLeaf.hash(version: Self.leafVersion, script: try script(place))
        }
        return TaprootLeaf.branchHash(try one.root(place), try other.root(place))
    }

    /// A leaf's script.
    ///
    /// Spec: BIP-386; BIP-387 for multisig; BIP-379 for miniscript.
    func script(_ place: Descriptor.Place) throws(DescriptorError) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .pk(let key):
            bytes.appendPush(of: try key.xOnly(place))
            bytes.append(Opcode.checkSignature)
        case .pkh(let key):
            bytes.append(Opcode.duplicate)
            bytes.append(Opcode.hash160)
            bytes.appendPush(of: Hash160.hash(try key.xOnly(place)))
            bytes.append(Opcode.equalVerify)
            bytes.append(Opcode.checkSignature)
        case .multi(let threshold, let keys, let isSorted):
            var encoded: [[UInt8]] = []
            for key in keys { encoded.append(try key.xOnly(place)) }
            if isSorted { encoded.sort { $0.lexicographicallyPrecedes($1) } }
            for (number, key) in encoded.enumerated() {
                bytes.appendPush(of: key)
                bytes.append(number == 0 ? Opcode.checkSignature : .checkSignatureAdd)
            }
            bytes.appendPush(of: ScriptNumber.encode(Int64(threshold)))
            bytes.append(Opcode.numericEqual)
        case .miniscript(let miniscript): return try miniscript.script(place).bytes
        case .branch: break
        }
        return bytes
    }
}

extension Script {
    /// Pay to a key in either encoding.
    fileprivate static func p2pk(_ key: [UInt8]) -> Script {
        var bytes: [UInt8] = []
        bytes.appendPush(of: key)
        bytes.append(Opcode.checkSignature)
        return Script(bytes)
    }

    /// Pay to the hash of a key in either encoding.
    fileprivate static func p2pkh(_ key: [UInt8]) -> Script { .p2pkh(keyHash: Hash160.hash(key)) ?? Script() }
}
