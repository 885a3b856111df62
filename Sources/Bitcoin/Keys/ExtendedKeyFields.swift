import ByteCodec

/// Why bytes or a text are not an extended key, or why a child key does not exist.
public enum ExtendedKeyError: Error, Equatable, Sendable {
    /// Not Base58Check.
    case notBase58Check(Base58Check.DecodingError)
    /// Not 78 bytes.
    case length(Int)
    /// Version bytes of an unknown network, or of the other kind of key.
    case version(UInt32)
    /// Depth zero with a parent fingerprint or a child number.
    case masterWithParent
    /// The key inside is invalid.
    case key(KeyError)
    /// A hardened step under a public key.
    case hardenedStep(ChildNumber)
    /// More than 255 steps below the master key.
    case tooDeep
    /// Not a seed of 16–64 bytes.
    case seedLength(Int)
}

/// Which of the two families of version bytes an extended key carries. All test networks share one.
///
/// Spec: BIP-32, "Serialization format".
public enum KeyNetwork: Sendable, Hashable {
    /// `xpub`, `xprv`.
    case main
    /// `tpub`, `tprv`: testnet, testnet4, signet, regtest.
    case test

    init?(publicVersion: UInt32) {
        switch publicVersion {
        case Self.main.publicVersion: self = .main
        case Self.test.publicVersion: self = .test
        default: return nil
        }
    }

    init?(privateVersion: UInt32) {
        switch privateVersion {
        case Self.main.privateVersion: self = .main
        case Self.test.privateVersion: self = .test
        default: return nil
        }
    }

    var publicVersion: UInt32 { self == .main ? 0x0488_B21E : 0x0435_87CF }
    var privateVersion: UInt32 { self == .main ? 0x0488_ADE4 : 0x0435_8394 }
}

/// The fields of a 78-byte serialization, public or private, without the key itself, which may be secret.
struct ExtendedKeyFields {
    /// The length of a serialization, in bytes.
    static let serializationLength = 78
    /// The range of the key: a compressed public key, or zero and a private key.
    static let keyRange = 45..<serializationLength

    let version: UInt32
    let depth: UInt8
    let parentFingerprint: Fingerprint
    let childNumber: ChildNumber
    let chainCode: ChainCode

    init(
        version: UInt32, depth: UInt8, parentFingerprint: Fingerprint, childNumber: ChildNumber,
        chainCode: ChainCode
    ) {
        self.version = version
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
    }

    init(parsing bytes: [UInt8]) throws(ExtendedKeyError) {
        guard bytes.count == Self.serializationLength, let fingerprint = Fingerprint(bytes[5..<9]) else {
            throw .length(bytes.count)
        }
        version = Self.bigEndian(bytes[0..<4])
        depth = bytes[4]
        parentFingerprint = fingerprint
        childNumber = ChildNumber(rawValue: Self.bigEndian(bytes[9..<13]))
        chainCode = ChainCode(unchecked: Array(bytes[13..<45]))
        if depth == 0, parentFingerprint != .zero || childNumber.rawValue != 0 { throw .masterWithParent }
    }

    /// The 45 bytes before the key.
    var serialized: [UInt8] {
        Self.bigEndianBytes(version) + [depth] + parentFingerprint.bytes + Self.bigEndianBytes(childNumber.rawValue)
            + chainCode.bytes
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func bigEndianBytes(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
