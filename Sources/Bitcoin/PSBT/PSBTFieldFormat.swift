/// The format of the records of one key type.
///
/// Spec: BIP-174, "Specification": any key or value that does not match makes the PSBT invalid.
struct PSBTFieldFormat: Sendable {
    /// The key data, which follows the type in the key.
    enum Key: Sendable {
        case none
        /// This many bytes.
        case length(Int)
        /// A valid point in 33 or 65 bytes.
        case publicKey
        /// A valid point in 33 bytes.
        case compressedPublicKey
        /// The x coordinate of a valid point, followed by this many bytes.
        case xOnlyKey(tail: Int)
        /// The 78 bytes of BIP-32, with any version bytes and a valid point.
        case extendedPublicKey
        /// BIP-341: leaf version and parity, a valid internal key, 0–128 hashes.
        case controlBlock
        /// BIP-373: the valid points of participant and aggregate key, and for a script path the leaf's hash.
        case musig2Participant
        /// Identifier, subtype, and any bytes.
        case proprietary
    }

    /// The format of the value.
    enum Value: Sendable {
        case anything
        case notEmpty
        /// This many bytes.
        case length(Int)
        /// The version of a transaction, 32 bits, as BIP-370 requires.
        case transactionVersion
        /// A time, at least 500 000 000, 32 bits.
        case timeLockTime
        /// A height from 1 to 499 999 999, 32 bits.
        case heightLockTime
        /// A compact size and nothing else.
        case compactSize
        /// Parsed by its users, because the global and the per-input ones have different rules.
        case transaction
        case transactionOutput
        /// A DER signature and a byte for the sighash type.
        case signature
        /// 64 bytes, or 65 with a sighash type.
        case schnorrSignature
        /// A fingerprint and steps.
        case keyOrigin
        /// A fingerprint and as many steps as the key's depth.
        case extendedKeyOrigin
        /// Leaf hashes, a fingerprint and steps.
        case tapKeyOrigin
        case tapTree
        case witnessStack
        case utf8
        /// Hashes to the key data.
        case preimage(PreimageHash)
        /// Valid points of 33 bytes, at least one.
        case publicKeyList
        /// The x coordinate of a valid point.
        case xOnlyKey
    }

    /// The versions of PSBT that allow a type.
    enum Versions: Sendable {
        case only0, only2, all

        func contains(_ version: PSBT.Version) -> Bool {
            switch self {
            case .only0: version == .v0
            case .only2: version == .v2
            case .all: true
            }
        }
    }

    /// The type's name in the BIP.
    let name: String
    let key: Key
    let value: Value
    let versions: Versions

    init(_ name: String, key: Key = .none, value: Value = .anything, versions: Versions = .all) {
        self.name = name
        self.key = key
        self.value = value
        self.versions = versions
    }

    /// The format of a type; `nil` when the type is unknown.
    init?(of type: UInt64, in scope: PSBTScope) {
        let format =
            switch scope {
            case .global: PSBTGlobalType(rawValue: type)?.format
            case .input: PSBTInputType(rawValue: type)?.format
            case .output: PSBTOutputType(rawValue: type)?.format
            }
        guard let format else { return nil }
        self = format
    }
}
