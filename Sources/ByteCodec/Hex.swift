/// Lower-case hexadecimal text.
public enum Hex {
    /// Why a text is not hexadecimal.
    public enum DecodingError: Error, Equatable, Sendable {
        /// The text has an odd number of digits.
        case oddLength(Int)
        /// A character at this offset (in UTF-8 bytes) is not a hexadecimal digit.
        case notADigit(offset: Int)
    }

    /// The bytes as lower-case digits, two for each byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodeUTF8(bytes), as: UTF8.self)
    }

    /// The digits as ASCII bytes, as in a file.
    public static func encodeUTF8(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)  // read much faster than any collection; an array is not copied
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0F))
        }
        return text
    }

    /// The bytes that `text` encodes, upper or lower case, without separators or prefix.
    public static func decode(_ text: some StringProtocol) throws(DecodingError) -> [UInt8] {
        // Nearly all texts are contiguous bytes, which are read much faster.
        let result = text.utf8.withContiguousStorageIfAvailable { bytes in
            Result { () throws(DecodingError) in try decoded(bytes) }
        }
        guard let result else { return try decoded(text.utf8) }
        return try result.get()
    }

    /// The bytes that a text encodes; the text is given as ASCII bytes, as in a file.
    /// - Parameter skippingWhitespace: whether spaces, tabs and line ends are allowed between the digits.
    public static func decode(
        utf8 text: [UInt8], skippingWhitespace: Bool = false
    ) throws(DecodingError) -> [UInt8] {
        try decoded(text, skippingWhitespace: skippingWhitespace)
    }

    private static func decoded(
        _ text: some Collection<UInt8>, skippingWhitespace: Bool = false
    ) throws(DecodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var digits = 0
        var high: UInt8 = 0
        for (offset, character) in text.enumerated() {
            if skippingWhitespace, character.isASCIIWhitespace { continue }
            guard let digit = value(character) else { throw .notADigit(offset: offset) }
            if digits.isMultiple(of: 2) { high = digit << 4 } else { bytes.append(high | digit) }
            digits += 1
        }
        guard digits.isMultiple(of: 2) else { throw .oddLength(digits) }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Hex.DecodingError: CustomStringConvertible {
    /// What is wrong, with the offset where there is one.
    public var description: String {
        switch self {
        case .oddLength(let count): "\(count) hexadecimal digits do not make whole bytes"
        case .notADigit(let offset): "the character at offset \(offset) is not a hexadecimal digit"
        }
    }
}

extension UInt8 {
    /// Whether this is a space, a tab, or a part of a line end (CR, LF).
    public var isASCIIWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
