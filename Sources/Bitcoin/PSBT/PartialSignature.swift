/// A signature of one input by one key, as a PSBT has it. Not known to verify.
///
/// What stands in a PSBT of somebody else's is kept byte for byte, as it hashes and compares: scripts name the encoding of a
/// key and not its point, so the two encodings of one point are two signers.
///
/// Spec: BIP-174, `PSBT_IN_PARTIAL_SIG`.
public struct PartialSignature: Hashable, Sendable {
    /// The key's encoding as it stands in the script: 33 bytes, or 65 where it is not compressed.
    public let publicKey: [UInt8]
    /// DER with the sighash type behind it.
    public let signature: [UInt8]

    /// A signature as a PSBT or a store has it; it is not verified.
    /// - Parameters:
    ///   - publicKey: 33 or 65 bytes, as the key stands in the script.
    ///   - signature: DER with the sighash type behind it.
    public init(publicKey: [UInt8], signature: [UInt8]) {
        self.publicKey = publicKey
        self.signature = signature
    }

    /// What a key signed.
    /// - Parameters:
    ///   - type: what the signature covers; of its number the lowest byte is written, and no other type fits in a signature.
    ///   - key: the key that signed, compressed in its script.
    public init(_ signature: ECDSASignature, type: SighashType = .all, by key: PublicKey) {
        self.init(publicKey: key.bytes, signature: signature.der + [UInt8(truncatingIfNeeded: type.rawValue)])
    }

    /// The key; `nil` when its encoding is not the compressed one of a point, and so no key of a witness or of a card.
    public var key: PublicKey? { try? PublicKey(publicKey) }

    /// The signature without its sighash type; `nil` when it is not strictly DER.
    ///
    /// Spec: BIP-66.
    public var ecdsaSignature: ECDSASignature? { ECDSASignature(der: signature.dropLast()) }

    /// What the signature says that it covers; `nil` when there is no byte of it.
    public var sighashType: SighashType? { signature.last.map { SighashType(rawValue: UInt32($0)) } }
}
