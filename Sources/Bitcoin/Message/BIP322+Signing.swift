import ByteCodec

extension BIP322 {
    /// The digest that the key of a P2WPKH address signs with ECDSA in the simple format: the BIP-143 digest of type ALL;
    /// `nil` unless the key's hash has 20 bytes.
    ///
    /// Spec: BIP-322, "Simple" and "Signing".
    public static func simpleDigest(message: [UInt8], keyHash: [UInt8]) -> Digest? {
        guard let scriptPubKey = Script.p2wpkh(keyHash: keyHash), let scriptCode = Script.p2pkh(keyHash: keyHash) else {
            return nil
        }
        let toSign = toSign(spending: toSpend(message: message, scriptPubKey: scriptPubKey))
        return SegwitSighash(toSign).digest(input: 0, scriptCode: scriptCode, amount: .zero, type: .all)
    }

    /// A message to sign in the simple format with the key of a P2WPKH address: first the digest, then the text.
    ///
    /// Spec: BIP-322, "Simple" and "Signing".
    public struct SimpleSigning: Hashable, Sendable {
        /// Why a message cannot be signed this way.
        public enum Failure: Error, Hashable, Sendable {
            /// The script is not P2WPKH of the key.
            case notP2WPKHOfKey
            /// The signature does not verify with the key, or its S is high.
            case invalidSignature
        }

        /// The key of the address.
        public let publicKey: PublicKey
        /// What to sign with ECDSA: the BIP-143 digest of type ALL.
        public let digest: Digest

        /// Prepares to sign a message.
        /// - Parameters:
        ///   - message: the message's exact bytes; UTF-8 for text.
        ///   - scriptPubKey: the script of the address.
        ///   - publicKey: the key of the address.
        /// - Throws: `Failure.notP2WPKHOfKey`.
        public init(message: [UInt8], scriptPubKey: Script, publicKey: PublicKey) throws(Failure) {
            guard scriptPubKey == .p2wpkh(publicKey),
                let digest = BIP322.simpleDigest(message: message, keyHash: publicKey.hash160)
            else { throw .notP2WPKHOfKey }
            self.publicKey = publicKey
            self.digest = digest
        }

        /// The message's signature: the witness, `<DER and ALL> <key>`.
        ///
        /// Version 2.0.0 requires the prefix `smp`; older verifiers accept only text without a prefix.
        /// - Parameters:
        ///   - signature: over `digest`; verified here.
        ///   - hasPrefix: whether its text has the prefix `smp`.
        /// - Throws: `Failure.invalidSignature`.
        public func encoded(
            _ signature: ECDSASignature, hasPrefix: Bool = true
        ) throws(Failure) -> EncodedMessageSignature {
            guard publicKey.isValid(signature, for: digest) else { throw .invalidSignature }
            var witness: [UInt8] = []
            witness.appendWitnessStack([signature.der + [0x01], publicKey.bytes])
            return EncodedMessageSignature(witness, format: .bip322Simple, hasPrefix: hasPrefix)
        }
    }
}
