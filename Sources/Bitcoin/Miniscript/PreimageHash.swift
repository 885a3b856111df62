/// A hash function whose preimage a script can ask for.
///
/// Spec: BIP-379, `sha256`, `hash256`, `ripemd160`, `hash160`; BIP-174, `PSBT_IN_SHA256` and its like.
public enum PreimageHash: String, CaseIterable, Hashable, Sendable {
    /// SHA-256, 32 bytes.
    case sha256
    /// SHA-256 twice, 32 bytes.
    case hash256
    /// RIPEMD-160, 20 bytes.
    case ripemd160
    /// RIPEMD-160 of SHA-256, 20 bytes.
    case hash160

    /// The length of a preimage that miniscript accepts, in bytes.
    ///
    /// Spec: BIP-379: preimages of another length would make the script malleable.
    static let preimageLength = 32

    /// The length of the hash, in bytes.
    public var length: Int {
        switch self {
        case .sha256, .hash256: 32
        case .ripemd160, .hash160: 20
        }
    }

    /// The hash of a preimage.
    public func hash(_ preimage: some Sequence<UInt8>) -> [UInt8] {
        switch self {
        case .sha256: SHA256.hash(preimage)
        case .hash256: SHA256.doubleHash(preimage)
        case .ripemd160: RIPEMD160.hash(Array(preimage))
        case .hash160: Hash160.hash(preimage)
        }
    }

    /// The operation in a script.
    var opcode: Opcode {
        switch self {
        case .sha256: .sha256
        case .hash256: .hash256
        case .ripemd160: .ripemd160
        case .hash160: .hash160
        }
    }
}
