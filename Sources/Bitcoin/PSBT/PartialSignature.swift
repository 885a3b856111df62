/// A signature of one input by one key, as in a PSBT. Not verified.
///
/// Fields of someone else's PSBT are kept byte for byte, and compared and hashed that way. Scripts name a key's encoding,
/// not its point, so the two encodings of one point are two signers.
///
/// Spec: BIP-174, `PSBT_IN_PARTIAL_SIG`.
public struct PartialSignature: Hashable, Sendable {
    /// The key's encoding in the script: 33 bytes, or 65 if uncompressed.
    public let publicKey: [UInt8]
    /// DER, followed by the sighash type.
    public let signature: [UInt8]

    /// A signature from a PSBT or store; it is not verified.
    /// - Parameters:
    ///   - publicKey: 33 or 65 bytes, as in the script.
    ///   - signature: DER, followed by the sighash type.
    public init(publicKey: [UInt8], signature: [UInt8]) {
        self.publicKey = publicKey
        self.signature = signature
    }

    /// A signature made by a key.
    /// - Parameters:
    ///   - type: what the signature covers; only the lowest byte is written, so a type must fit in it.
    ///   - key: the key that signed, compressed in its script.
    public init(_ signature: ECDSASignature, type: SighashType = .all, by key: PublicKey) {
        self.init(publicKey: key.bytes, signature: signature.der + [UInt8(truncatingIfNeeded: type.rawValue)])
    }

    /// The key; `nil` unless its encoding is a compressed point, as witnesses and cards require.
    public var key: PublicKey? { try? PublicKey(publicKey) }

    /// The signature without its sighash type; `nil` when it is not strictly DER.
    ///
    /// Spec: BIP-66.
    public var ecdsaSignature: ECDSASignature? { ECDSASignature(der: signature.dropLast()) }

    /// The sighash type at the end of the signature; `nil` when it is missing.
    public var sighashType: SighashType? { signature.last.map { SighashType(rawValue: UInt32($0)) } }
}
