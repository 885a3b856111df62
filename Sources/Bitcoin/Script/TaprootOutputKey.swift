import ByteCodec
import CSecp256k1

/// The key that a taproot output pays to: the x coordinate of a valid point with even y.
///
/// Spec: BIP-340, BIP-341.
public struct TaprootOutputKey: Hashable, Sendable, CustomStringConvertible {
    /// The x coordinate, 32 bytes, big-endian.
    public let bytes: [UInt8]

    /// The x coordinate of a point of which nobody has the private key: the internal key of outputs that only their scripts can
    /// spend.
    ///
    /// Spec: BIP-341, "Constructing and spending Taproot outputs".
    static let unspendable: [UInt8] = [
        0x50, 0x92, 0x9B, 0x74, 0xC1, 0xA0, 0x49, 0x54, 0xB7, 0x8B, 0x4B, 0x60, 0x35, 0xE9, 0x7A, 0x5E,
        0x07, 0x8A, 0x5A, 0x0F, 0x28, 0xEC, 0x96, 0xD5, 0x47, 0xBF, 0xEE, 0x9A, 0xCE, 0x80, 0x3A, 0xC0,
    ]

    /// Tweaks an internal key with the root of its script tree.
    /// - Parameters:
    ///   - internalKey: the internal key's x coordinate, 32 bytes.
    ///   - merkleRoot: 32 bytes; `nil` when there are no scripts.
    /// - Throws: `KeyError.length`; `.notOnCurve` when there is no such point; `.invalidResult` when the tweak is out of
    ///   range (chance below 2⁻¹²⁷).
    ///
    /// Spec: BIP-341, "Constructing and spending Taproot outputs"; BIP-86 for keys without scripts.
    public init(internalKey: [UInt8], merkleRoot: [UInt8]? = nil) throws(KeyError) {
        bytes = try Self.tweak(internalKey: internalKey, merkleRoot: merkleRoot).bytes
    }

    /// The output key's x coordinate, and whether its y is odd, as control blocks record.
    static func tweak(
        internalKey: [UInt8], merkleRoot: [UInt8]?
    ) throws(KeyError) -> (bytes: [UInt8], isOdd: Bool) {
        guard internalKey.count == 32 else { throw .length(internalKey.count) }
        if let merkleRoot, merkleRoot.count != 32 { throw .length(merkleRoot.count) }
        let context = CurveContext.shared
        var point = secp256k1_xonly_pubkey()
        guard secp256k1_xonly_pubkey_parse(context, &point, internalKey) == 1 else { throw .notOnCurve }
        let tweak = SHA256.taggedHash("TapTweak", internalKey + (merkleRoot ?? []))
        var tweaked = secp256k1_pubkey()
        var output = secp256k1_xonly_pubkey()
        var parity: Int32 = 0
        guard secp256k1_xonly_pubkey_tweak_add(context, &tweaked, &point, tweak) == 1,
            secp256k1_xonly_pubkey_from_pubkey(context, &output, &parity, &tweaked) == 1
        else { throw .invalidResult }
        let bytes = [UInt8](capacity: 32) { buffer, _ in
            secp256k1_xonly_pubkey_serialize(context, buffer, &output)
        }
        return (bytes, parity != 0)
    }

    /// The output key for a wallet key without scripts.
    ///
    /// Spec: BIP-86.
    public init(_ internalKey: PublicKey) throws(KeyError) {
        try self.init(internalKey: Array(internalKey.bytes.dropFirst()))
    }

    /// Lower-case hexadecimal, 64 digits.
    public var description: String { Hex.encode(bytes) }
}

extension SHA256 {
    /// SHA-256 of the tag's hash, twice, followed by the message.
    ///
    /// Spec: BIP-340, "Tagged hashes".
    static func taggedHash(_ tag: String, _ message: some Sequence<UInt8>) -> [UInt8] {
        let tagHash = hash(tag.utf8)
        var hasher = Self()
        hasher.update(tagHash)
        hasher.update(tagHash)
        hasher.update(message)
        return hasher.finalize()
    }
}
