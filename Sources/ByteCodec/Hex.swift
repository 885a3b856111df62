/// Lower-case hexadecimal text.
public enum Hex {
    /// Why a text is not hexadecimal.
    public enum DecodingError: Error, Equatable, Sendable {
        /// The text has an odd number of digits.
        case oddLength(Int)
        /// A character at this offset (in UTF-8 bytes) is no hexadecimal digit.
        case notADigit(offset: Int)
    }

    /// The bytes as lower-case digits, two for each byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0F))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` spells, upper or lower case, without separators or prefix.
    public static func decode(_ text: some StringProtocol) throws(DecodingError) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { throw .oddLength(digits.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[offset]) else { throw .notADigit(offset: offset) }
            guard let low = value(digits[offset + 1]) else { throw .notADigit(offset: offset + 1) }
            bytes.append(high << 4 | low)
        }
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
