import ByteCodec

/// A message's signature in the form in which it is passed on: bytes whose text is Base64, behind its format's prefix.
///
/// Spec: BIP-137; BIP-322, "Types of Signatures".
public struct EncodedMessageSignature: Hashable, Sendable, CustomStringConvertible {
    /// What the bytes are.
    public let format: MessageSignatureFormat
    /// The signature: for BIP-137 the header, R and S (65 bytes); for the simple format of BIP-322 a witness stack.
    public let bytes: [UInt8]
    /// Whether the text begins with the format's prefix; verifiers from before BIP-322 had prefixes accept none.
    private let hasPrefix: Bool

    init(_ bytes: [UInt8], format: MessageSignatureFormat, hasPrefix: Bool = true) {
        (self.bytes, self.format, self.hasPrefix) = (bytes, format, hasPrefix)
    }

    /// The text that `SignedMessage.verify` reads.
    public var description: String { (hasPrefix ? format.prefix ?? "" : "") + Base64.encode(bytes) }
}
