import ByteCodec

/// A public key of an input or output, with its origin. A hint, to be proven by deriving the key.
///
/// Spec: BIP-174, `PSBT_IN_BIP32_DERIVATION`, `PSBT_OUT_BIP32_DERIVATION`.
public struct KeyDerivation: Hashable, Sendable {
    /// The key's encoding, 33 or 65 bytes.
    public let publicKey: [UInt8]
    /// The master key's fingerprint, and the path from the master key.
    public let origin: KeyOrigin

    /// - Parameter publicKey: 33 bytes, or 65 uncompressed; whether it is the key at this path is not checked.
    public init(publicKey: [UInt8], origin: KeyOrigin) {
        self.publicKey = publicKey
        self.origin = origin
    }

    /// The key; `nil` unless its encoding is a compressed point.
    public var key: PublicKey? { try? PublicKey(publicKey) }

    /// - Parameter publicKey: 33 bytes, or 65 uncompressed; whether it is the key at this path is not checked.
    public init(publicKey: [UInt8], fingerprint: Fingerprint, path: DerivationPath) {
        self.init(publicKey: publicKey, origin: KeyOrigin(fingerprint: fingerprint, path: path))
    }

    /// The master key's fingerprint.
    public var fingerprint: Fingerprint { origin.fingerprint }
    /// The path from the master key.
    public var path: DerivationPath { origin.path }

    init?(_ record: PSBTRecord) {
        guard let origin = KeyOrigin(serialized: record.value) else { return nil }
        self.init(publicKey: Array(record.keyData), origin: origin)
    }

    func record(_ type: UInt64) -> PSBTRecord {
        PSBTRecord(type: type, keyData: publicKey[...], value: origin.serialized[...])
    }
}

/// An x-only key of a taproot input or output, with its origin. A hint, to be proven by deriving the key.
///
/// Spec: BIP-371, `PSBT_IN_TAP_BIP32_DERIVATION`, `PSBT_OUT_TAP_BIP32_DERIVATION`.
public struct TaprootKeyDerivation: Hashable, Sendable {
    /// The key's x coordinate, 32 bytes.
    public let xOnlyKey: [UInt8]
    /// The 32-byte hashes of the leaves that contain the key; none for the internal key.
    public let leafHashes: [[UInt8]]
    /// The master key's fingerprint, and the path from the master key.
    public let origin: KeyOrigin

    /// - Parameters:
    ///   - xOnlyKey: 32 bytes.
    ///   - leafHashes: the hashes of the leaves that the key signs in, 32 bytes each; empty for the internal key alone.
    public init(xOnlyKey: [UInt8], leafHashes: [[UInt8]] = [], origin: KeyOrigin) {
        self.xOnlyKey = xOnlyKey
        self.leafHashes = leafHashes
        self.origin = origin
    }

    /// The master key's fingerprint.
    public var fingerprint: Fingerprint { origin.fingerprint }
    /// The path from the master key.
    public var path: DerivationPath { origin.path }

    init?(_ record: PSBTRecord) {
        var reader = ByteReader(record.value)
        guard let count = try? reader.compactSize(), count <= UInt64(reader.remaining / SHA256.digestLength),
            let hashes = try? reader.slice(count * UInt64(SHA256.digestLength)),
            let origin = KeyOrigin(serialized: record.value.dropFirst(reader.offset))
        else { return nil }
        xOnlyKey = Array(record.keyData)
        leafHashes = stride(from: hashes.startIndex, to: hashes.endIndex, by: SHA256.digestLength).map {
            Array(hashes[$0..<$0 + SHA256.digestLength])
        }
        self.origin = origin
    }

    func record(_ type: UInt64) -> PSBTRecord {
        var value: [UInt8] = []
        value.appendCompactSize(leafHashes.count)
        for hash in leafHashes { value += hash }
        return PSBTRecord(type: type, keyData: xOnlyKey[...], value: (value + origin.serialized)[...])
    }
}

/// An extended public key from which keys of the transaction derive, with its origin.
///
/// Spec: BIP-174, `PSBT_GLOBAL_XPUB`.
public struct ExtendedKeyDerivation: Hashable, Sendable {
    /// The 78 bytes of BIP-32. Only the point is known to be valid, because wallets also write other version bytes.
    public let serialized: [UInt8]
    /// The master key's fingerprint, and the path from the master key; as many steps as the key is deep.
    public let origin: KeyOrigin

    /// A key with its origin; `nil` unless the path has as many steps as the key is deep.
    public init?(_ key: ExtendedPublicKey, origin: KeyOrigin) {
        guard origin.path.steps.count == key.depth else { return nil }
        serialized = key.serialized
        self.origin = origin
    }

    /// The key; `nil` when its version bytes are neither `xpub` nor `tpub`.
    public var extendedPublicKey: ExtendedPublicKey? { try? ExtendedPublicKey(serialized: serialized) }

    init?(_ record: PSBTRecord) {
        guard let origin = KeyOrigin(serialized: record.value) else { return nil }
        serialized = Array(record.keyData)
        self.origin = origin
    }

    var record: PSBTRecord {
        PSBTRecord(
            type: PSBTGlobalType.extendedPublicKey.rawValue, keyData: serialized[...], value: origin.serialized[...])
    }
}
