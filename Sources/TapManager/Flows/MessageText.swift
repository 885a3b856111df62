import Bitcoin
import TapProtocol

/// A message to be signed with one key.
struct MessageText {
    private let message: [UInt8]
    private let key: PublicKey
    private let kind: ScriptKind
    private let format: MessageSignatureFormat
    /// What the card signs.
    let digest: Digest

    /// - Throws: `FlowError.unsupportedMessageFormat`.
    init(_ message: [UInt8], key: PublicKey, kind: ScriptKind, format: MessageSignatureFormat) throws(FlowError) {
        self.message = message
        self.key = key
        self.kind = kind
        self.format = format
        guard format == .bip137 || kind == .p2wpkh else { throw .unsupportedMessageFormat(format) }
        digest = try Self.digest(of: message, keyHash: key.hash160, format: format)
    }

    /// What the key with this hash signs, for an address whose key is not known yet.
    /// - Parameter keyHash: 20 bytes.
    static func digest(
        of message: [UInt8], keyHash: [UInt8], format: MessageSignatureFormat
    ) throws(FlowError) -> Digest {
        switch format {
        case .bip137: return BIP137Signature.digest(of: message)
        case .bip322Simple:
            guard let digest = BIP322.simpleDigest(message: message, keyHash: keyHash) else {
                throw .unsupportedMessageFormat(format)
            }
            return digest
        case .bip322Full, .bip322ProofOfFunds: throw .unsupportedMessageFormat(format)
        }
    }

    /// The signature, its text verified as anyone else would.
    /// - Throws: `FlowError.card(.badProof(.signature))`.
    func result(_ signature: ECDSASignature, address: Address) throws(FlowError) -> MessageSignature {
        guard let encoded = encoded(signature),
            SignedMessage.verify(
                message: message, scriptPubKey: address.scriptPubKey, signature: encoded.description
            ).isValid
        else {
            throw .card(.badProof(.signature, detail: "the signed message does not verify with \(address)"))
        }
        return MessageSignature(address: address, signature: encoded)
    }

    private func encoded(_ signature: ECDSASignature) -> EncodedMessageSignature? {
        if format == .bip137 {
            return try? BIP137Signature(
                signature, digest: digest, publicKey: key, addressType: BIP137Signature.AddressType(kind)
            ).encoded
        }
        return try? BIP322.SimpleSigning(
            message: message, scriptPubKey: kind.scriptPubKey(for: key), publicKey: key
        ).encoded(signature)
    }
}
