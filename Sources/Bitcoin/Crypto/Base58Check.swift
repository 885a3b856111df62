import ByteCodec

/// Base58 text that ends in four bytes of double SHA-256.
public enum Base58Check {
    /// Why a text is not Base58Check.
    public enum DecodingError: Error, Equatable, Sendable {
        /// Not Base58 at all.
        case notBase58(Base58.DecodingError)
        /// Fewer than four bytes.
        case tooShort
        /// The last four bytes are not the checksum of the others.
        case checksum
    }

    /// The payload with its checksum as Base58 text.
    public static func encode(_ payload: [UInt8]) -> String {
        Base58.encode(payload + SHA256.doubleHash(payload).prefix(4))
    }

    /// The payload of a text whose checksum fits; at most 256 characters.
    public static func decode(_ text: some StringProtocol) throws(DecodingError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try Base58.decode(text) } catch { throw .notBase58(error) }
        guard bytes.count >= 4 else { throw .tooShort }
        let payload = Array(bytes.dropLast(4))
        guard SHA256.doubleHash(payload).prefix(4).elementsEqual(bytes.suffix(4)) else { throw .checksum }
        return payload
    }
}
