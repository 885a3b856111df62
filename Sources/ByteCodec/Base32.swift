/// Base32 with the upper-case alphabet of RFC 4648, without padding.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The bytes as Base32 text: 8 characters for 5 bytes, the last group zero-filled, no `=`.
    ///
    /// Spec: RFC 4648, section 6.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: FiveBitValues.of(bytes).map { alphabet[Int($0)] }, as: UTF8.self)
    }
}
