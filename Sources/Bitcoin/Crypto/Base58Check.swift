import ByteCodec

/// Base58 text that ends in a checksum: four bytes of double SHA-256.
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
        // The payload may be a key: leave no copy behind.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 4)
        defer { bytes.wipe() }
        bytes += payload
        bytes += SHA256.doubleHash(payload).prefix(4)
        return Base58.encode(bytes)
    }

    /// The payload of a text with a valid checksum; at most 256 characters.
    public static func decode(_ text: some StringProtocol) throws(DecodingError) -> [UInt8] {
        try decode(utf8: text.utf8)
    }

    /// Like `decode(_:)`, for text that is not a `String` because it will be wiped.
    public static func decode(utf8 text: some Collection<UInt8>) throws(DecodingError) -> [UInt8] {
        var bytes: [UInt8]
        do { bytes = try Base58.decode(utf8: text) } catch { throw .notBase58(error) }
        guard bytes.count >= 4 else { throw .tooShort }
        let checksum = Array(bytes.suffix(4))
        bytes.removeLast(4)
        guard SHA256.doubleHash(bytes).prefix(4).elementsEqual(checksum) else {
            bytes.wipe()
            throw .checksum
        }
        return bytes
    }
}
