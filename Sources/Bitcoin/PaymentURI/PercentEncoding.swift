import ByteCodec

/// The percent-encoding of a URI's query.
///
/// Spec: RFC 3986, sections 2.1, 2.3 and 3.4; BIP-321, "General Format" (characters are encoded as UTF-8 first).
enum PercentEncoding {
    /// The text with every byte encoded except unreserved characters. Plus signs are encoded too, because forms read them as spaces.
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded += Hex.encodeUTF8([byte]).map { $0.asciiUppercased }
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The decoded text of a query's key or value. A plus sign stays a plus sign.
    /// - Throws: `.queryCharacter`, `.percentEncoding` or `.notUTF8`.
    static func decode(_ encoded: some Sequence<UInt8>) throws(PaymentURIError) -> String {
        var bytes: [UInt8] = []
        var iterator = encoded.makeIterator()
        while let byte = iterator.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else {
                    throw .percentEncoding
                }
                bytes.append(high << 4 | low)
            } else {
                guard isQueryCharacter(byte) else { throw .queryCharacter(byte) }
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Whether a byte needs no encoding in a query: `pchar`, `/` and `?`.
    static func isQueryCharacter(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
    }

    /// ASCII letters and digits.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~".utf8.contains(byte) }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
