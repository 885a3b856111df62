import ByteCodec
import CSecp256k1

/// The proof that a script is a leaf under a taproot output key: leaf version and parity, internal key, and the Merkle path
/// from the leaf to the root.
///
/// Spec: BIP-341, "Script validation rules".
struct ControlBlock {
    private static let headLength = 33

    /// The leaf's version, an even number.
    let leafVersion: UInt8
    private let isOutputKeyOdd: Bool
    let internalKey: [UInt8]
    private let path: [UInt8]

    /// Reads 33 bytes and 0…128 hashes of 32.
    init(_ bytes: [UInt8]) throws(ScriptFailure) {
        guard let first = bytes.first, bytes.count >= Self.headLength,
            bytes.count <= Self.headLength + 32 * TapTree.maximumDepth, (bytes.count - Self.headLength) % 32 == 0
        else { throw .controlBlockLength }
        leafVersion = first & 0xFE
        isOutputKeyOdd = first & 1 != 0
        internalKey = Array(bytes[1..<Self.headLength])
        path = Array(bytes[Self.headLength...])
    }

    /// Whether the output key is the internal key tweaked with the root that follows from the leaf.
    /// - Parameters:
    ///   - outputKey: the x coordinate, 32 bytes.
    ///   - leafHash: see `TaprootLeaf.hash`.
    func commits(outputKey: [UInt8], to leafHash: [UInt8]) -> Bool {
        var root = leafHash
        for start in stride(from: 0, to: path.count, by: 32) {
            root = TaprootLeaf.branchHash(root, Array(path[start..<start + 32]))
        }
        let tweak = SHA256.taggedHash("TapTweak", internalKey + root)
        var point = secp256k1_xonly_pubkey()
        guard outputKey.count == 32, secp256k1_xonly_pubkey_parse(CurveContext.shared, &point, internalKey) == 1
        else { return false }
        return secp256k1_xonly_pubkey_tweak_add_check(
            CurveContext.shared, outputKey, isOutputKeyOdd ? 1 : 0, &point, tweak) == 1
    }
}

/// The hashes of a taproot output's script tree.
///
/// Spec: BIP-341, "Constructing and spending Taproot outputs".
enum TaprootLeaf {
    /// The tagged hash of a leaf, 32 bytes.
    static func hash(version: UInt8, script: [UInt8]) -> [UInt8] {
        var message = [version]
        message.appendSized(script)
        return SHA256.taggedHash("TapLeaf", message)
    }

    /// The tagged hash of two siblings, the smaller one first.
    static func branchHash(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        SHA256.taggedHash("TapBranch", one.lexicographicallyPrecedes(other) ? one + other : other + one)
    }
}
