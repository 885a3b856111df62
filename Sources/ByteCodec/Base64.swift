/// Base64 with the alphabet `A–Z a–z 0–9 + /` and with padding. Strict: each text decodes to one byte string, and each
/// byte string has one text.
///
/// Spec: RFC 4648, sections 3.2, 3.3, 3.5 and 4.
public enum Base64 {
    /// Why a text is not Base64. Offsets count UTF-8 bytes of the text as given.
    public enum DecodingError: Error, Equatable, Sendable {
        /// A character at this offset is not in the alphabet, or follows the padding.
        case notADigit(offset: Int)
        /// The padding at this offset is not the one or two `=` that the digits before it require.
        case padding(offset: Int)
        /// The text ends inside a group of four characters: it is truncated or lacks padding.
        case incomplete
        /// The last digit, at this offset, has unused bits that are not zero.
        case unusedBits(offset: Int)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each byte as a digit; 0xFF for all others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The bytes as Base64 text: four characters for three bytes, one line.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodeUTF8(bytes), as: UTF8.self)
    }

    /// The bytes as Base64 text, in ASCII bytes as in a file.
    public static func encodeUTF8(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)  // read much faster than any collection; an array is not copied
        let alphabet = Self.alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            for shift: UInt32 in [18, 12, 6, 0] { text.append(alphabet[Int(group >> shift & 63)]) }
            (group, count) = (0, 0)
        }
        switch count {
        case 1:
            text += [alphabet[Int(group >> 2)], alphabet[Int(group << 4 & 63)], padding, padding]
        case 2:
            text += [
                alphabet[Int(group >> 10)], alphabet[Int(group >> 4 & 63)], alphabet[Int(group << 2 & 63)], padding,
            ]
        default: break
        }
        return text
    }

    /// The bytes that `text` encodes.
    public static func decode(_ text: some StringProtocol) throws(DecodingError) -> [UInt8] {
        try decode(utf8: Array(text.utf8))
    }

    /// The bytes that a text encodes; the text is given as ASCII bytes, as in a file.
    /// - Parameter skippingWhitespace: whether spaces, tabs and line ends are allowed between the characters.
    public static func decode(
        utf8 text: [UInt8], skippingWhitespace: Bool = false
    ) throws(DecodingError) -> [UInt8] {
        let values = Self.values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var paddings = 0
        var lastDigit = 0
        for (offset, character) in text.enumerated() {
            if skippingWhitespace, character.isASCIIWhitespace { continue }
            if character == padding {
                paddings += 1
                guard digits >= 2, digits + paddings <= 4 else { throw .padding(offset: offset) }
                continue
            }
            let value = values[Int(character)]
            guard value != 0xFF, paddings == 0 else { throw .notADigit(offset: offset) }
            group = group << 6 | UInt32(value)
            digits += 1
            lastDigit = offset
            guard digits == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
            (group, digits) = (0, 0)
        }
        guard digits == 0 || digits + paddings == 4 else { throw .incomplete }
        switch digits {
        case 2:
            guard group & 0xF == 0 else { throw .unusedBits(offset: lastDigit) }
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            guard group & 0x3 == 0 else { throw .unusedBits(offset: lastDigit) }
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: break
        }
        return bytes
    }
}

extension Base64.DecodingError: CustomStringConvertible {
    /// What is wrong, with the offset where there is one.
    public var description: String {
        switch self {
        case .notADigit(let offset): "the character at offset \(offset) is not a Base64 character"
        case .padding(let offset): "the padding at offset \(offset) is not where the text ends"
        case .incomplete: "the text ends inside a group of four characters"
        case .unusedBits(let offset): "the last character, at offset \(offset), has unused bits that are not zero"
        }
    }
}
