/// Base58 with Bitcoin's alphabet, without a checksum (for that, see `Base58Check` in `Bitcoin`).
public enum Base58 {
    /// Why a text is not Base58.
    public enum DecodingError: Error, Equatable, Sendable {
        /// A character at this offset (in UTF-8 bytes) is not in the alphabet.
        case notADigit(offset: Int)
        /// The text is longer than the caller's limit, in characters.
        case tooLong(limit: Int)
    }

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The bytes as Base58 text; each leading zero byte becomes one `1`. Quadratic in the length.
    public static func encode(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        var digits: [UInt8] = []  // little-endian base 58
        for byte in bytes.dropFirst(zeros) {
            var carry = Int(byte)
            for index in digits.indices {
                carry += Int(digits[index]) << 8
                digits[index] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        let text =
            [UInt8](repeating: alphabet[0], count: zeros) + digits.reversed().map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` encodes. Quadratic in the length, so bounded. They may be a key: they exist only in the
    /// returned array, which the caller must wipe.
    /// - Parameter limit: the most characters accepted; keys and addresses need at most 112.
    public static func decode(
        _ text: some StringProtocol, limit: Int = 256
    ) throws(DecodingError) -> [UInt8] {
        try decode(utf8: text.utf8, limit: limit)
    }

    /// Like `decode(_:limit:)`, for text that is not a `String` because it will be wiped.
    public static func decode(
        utf8 text: some Collection<UInt8>, limit: Int = 256
    ) throws(DecodingError) -> [UInt8] {
        // Nearly all texts are contiguous bytes, which are read much faster.
        let result = text.withContiguousStorageIfAvailable { bytes in
            Result { () throws(DecodingError) in try decoded(bytes, limit: limit) }
        }
        guard let result else { return try decoded(text, limit: limit) }
        return try result.get()
    }

    private static func decoded(
        _ text: some Collection<UInt8>, limit: Int
    ) throws(DecodingError) -> [UInt8] {
        guard text.prefix(limit + 1).count <= limit else { throw .tooLong(limit: limit) }
        // Checked before any part of a key exists, which an error would leave in memory.
        for (offset, character) in text.enumerated() where values[Int(character)] == 0xFF {
            throw .notADigit(offset: offset)
        }
        let zeros = text.prefix { $0 == alphabet[0] }.count
        let digits = text.dropFirst(zeros)
        // A digit takes less than 3/32 of a word of 64 bits.
        let wordCount = digits.count * 3 / 32 + 1
        var bytes = [UInt8](repeating: 0, count: zeros + wordCount * 8)
        let excess = bytes.withUnsafeMutableBytes { buffer in
            let number = UnsafeMutableRawBufferPointer(rebasing: buffer[zeros...])
            write(digits, to: number, wordCount: wordCount)
            let excess = number.prefix { $0 == 0 }.count
            // Nothing of a key stays behind what is returned.
            number.copyMemory(from: UnsafeRawBufferPointer(rebasing: number[excess...]))
            for index in number.indices.suffix(excess) { number[index] = 0 }
            return excess
        }
        bytes.removeLast(excess)
        return bytes
    }

    /// Writes a number's digits as words, the highest first, each big-endian.
    private static func write(
        _ digits: some Collection<UInt8>, to number: UnsafeMutableRawBufferPointer, wordCount: Int
    ) {
        let values = values
        var rest = digits[...]
        var used = 0
        while !rest.isEmpty {
            // Ten digits at a time: 58¹⁰ < 2⁵⁹.
            var (carry, factor): (UInt64, UInt64) = (0, 1)
            for character in rest.prefix(10) {
                carry = carry * 58 + UInt64(values[Int(character)])
                factor *= 58
            }
            rest = rest.dropFirst(10)
            for word in 0..<used {
                let offset = (wordCount - 1 - word) * 8
                let value = UInt64(bigEndian: number.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let product = value.multipliedFullWidth(by: factor)
                let (sum, overflows) = product.low.addingReportingOverflow(carry)
                number.storeBytes(of: sum.bigEndian, toByteOffset: offset, as: UInt64.self)
                carry = product.high + (overflows ? 1 : 0)
            }
            guard carry > 0 else { continue }
            used += 1
            number.storeBytes(of: carry.bigEndian, toByteOffset: (wordCount - used) * 8, as: UInt64.self)
        }
    }
}
