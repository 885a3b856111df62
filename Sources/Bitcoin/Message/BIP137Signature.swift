import ByteCodec

/// A message signature from which the key is recovered.
///
/// Spec: BIP-137.
public struct BIP137Signature: Hashable, Sendable {
    /// The length of a signature, in bytes: header, R and S.
    public static let length = 65

    /// The types of address that headers distinguish, in the order of their headers.
    public enum AddressType: Int, CaseIterable, Hashable, Sendable {
        /// P2PKH of an uncompressed key: headers 27–30.
        case uncompressedP2PKH
        /// P2PKH of a compressed key: headers 31–34.
        case p2pkh
        /// P2WPKH in P2SH: headers 35–38.
        case p2shP2WPKH
        /// P2WPKH: headers 39–42.
        case p2wpkh

        /// The type of an account's addresses, whose keys are compressed.
        public init(_ kind: ScriptKind) {
            switch kind {
            case .p2pkh: self = .p2pkh
            case .p2shP2WPKH: self = .p2shP2WPKH
            case .p2wpkh: self = .p2wpkh
            }
        }

        /// The script of a key's address of this type.
        public func scriptPubKey(for key: PublicKey) -> Script {
            switch self {
            case .uncompressedP2PKH: Script.p2pkh(keyHash: Hash160.hash(key.uncompressedBytes)) ?? Script()
            case .p2pkh: .p2pkh(key)
            case .p2shP2WPKH: .p2sh(.p2wpkh(key))
            case .p2wpkh: .p2wpkh(key)
            }
        }

        /// The header for recovery id 0.
        fileprivate var firstHeader: UInt8 { 27 + 4 * UInt8(rawValue) }
    }

    /// The type of address that the header names.
    public let addressType: AddressType
    /// Which of the four candidates the key is, 0…3.
    public let recoveryID: Int
    /// R and S.
    public let signature: ECDSASignature

    /// Takes 65 bytes.
    /// - Throws: `MessageFault`: `.signatureLength`, `.header` or `.signatureOutOfRange`.
    public init(_ bytes: some Collection<UInt8>) throws(MessageFault) {
        guard bytes.count == Self.length, let header = bytes.first else { throw .signatureLength(bytes.count) }
        guard (27...42).contains(header), let type = AddressType(rawValue: Int(header - 27) / 4) else {
            throw .header(header)
        }
        guard let signature = ECDSASignature(compact: bytes.dropFirst()) else { throw .signatureOutOfRange }
        addressType = type
        recoveryID = Int(header - 27) % 4
        self.signature = signature
    }

    /// Makes a signature that anyone can verify from a known key's signature, by finding the recovery id.
    /// - Parameters:
    ///   - signature: as a card returns it.
    ///   - digest: what was signed; see `digest(of:)`.
    ///   - publicKey: the key that signed.
    ///   - addressType: the type to state in the header.
    /// - Throws: `MessageFault.noKeyRecovered` when no recovery id gives `publicKey`, so it did not sign `digest`.
    public init(
        _ signature: ECDSASignature, digest: Digest, publicKey: PublicKey, addressType: AddressType
    ) throws(MessageFault) {
        let found = (0...3).first {
            (try? signature.recoveredKey(digest: digest, recoveryID: $0)) == publicKey
        }
        guard let found else { throw .noKeyRecovered }
        self.addressType = addressType
        recoveryID = found
        self.signature = signature
    }

    /// The header: address type and recovery id, 27…42.
    public var header: UInt8 { addressType.firstHeader + UInt8(recoveryID) }

    /// Header, R and S: 65 bytes.
    public var bytes: [UInt8] { [header] + signature.compact }

    /// As it is passed on: the bytes in Base64, 88 characters.
    public var encoded: EncodedMessageSignature { EncodedMessageSignature(bytes, format: .bip137) }

    /// The digest that is signed for a message.
    /// - Parameter message: the message's exact bytes; UTF-8 for text, without normalization.
    public static func digest(of message: [UInt8]) -> Digest {
        var preimage: [UInt8] = []
        preimage.appendSized(Array("Bitcoin Signed Message:\n".utf8))
        preimage.appendSized(message)
        return Digest(doubleHashing: preimage)
    }

    /// The key that made the signature over `message`.
    /// - Throws: `MessageFault.noKeyRecovered`.
    public func recoveredKey(message: [UInt8]) throws(MessageFault) -> PublicKey {
        do throws(KeyError) {
            return try signature.recoveredKey(digest: Self.digest(of: message), recoveryID: recoveryID)
        } catch { throw .noKeyRecovered }
    }

    /// Verifies that the owner of an address signed `message`.
    ///
    /// The recovered key must give exactly this address, of the type that the header names. One deviation is common and
    /// accepted: Electrum and others write the header of P2PKH with a compressed key (31–34) for P2WPKH addresses too, bare or
    /// in P2SH. Then the address must be one of the recovered key's, and `hasP2PKHHeader` is set. A high S is accepted,
    /// because the specification has no rule against it.
    /// - Throws: `MessageFault`: `.noKeyRecovered` or `.otherAddress`.
    public func verify(message: [UInt8], scriptPubKey: Script) throws(MessageFault) -> MessageProof {
        let key = try recoveredKey(message: message)
        if addressType.scriptPubKey(for: key) == scriptPubKey { return MessageProof(publicKey: key) }
        let isLenient =
            addressType == .p2pkh
            && [AddressType.p2shP2WPKH, .p2wpkh].contains { $0.scriptPubKey(for: key) == scriptPubKey }
        guard isLenient else { throw .otherAddress }
        return MessageProof(publicKey: key, hasP2PKHHeader: true)
    }
}
