/// A key in a witness script or in a leaf of taproot: itself, or the hash that a signer must show a key for.
public enum ScriptKey: Hashable, Sendable {
    /// A compressed public key, 33 bytes; in tapscript its x coordinate, 32 bytes.
    case key([UInt8])
    /// HASH160 of these bytes, 20 bytes.
    case hash([UInt8])

    /// The 33, 32 or 20 bytes.
    public var bytes: [UInt8] {
        switch self {
        case .key(let bytes), .hash(let bytes): bytes
        }
    }

    /// HASH160 of the key, 20 bytes.
    public var hash: [UInt8] {
        switch self {
        case .key(let bytes): Hash160.hash(bytes)
        case .hash(let bytes): bytes
        }
    }

    /// Whether it is this key, or its hash.
    /// - Parameter publicKey: 33 bytes; in tapscript 32.
    public func isKey(_ publicKey: [UInt8]) -> Bool {
        switch self {
        case .key(let bytes): bytes == publicKey
        case .hash(let bytes): bytes == Hash160.hash(publicKey)
        }
    }
}
