/// Bech32 and Bech32m strings: a human-readable part, 5-bit values and a checksum.
///
/// Spec: BIP-173 and BIP-350. Witness addresses are built on this in `Bitcoin`.
public enum Bech32 {
    /// Which checksum constant the string uses.
    public enum Variant: Sendable, Equatable {
        /// BIP-173: witness version 0.
        case bech32
        /// BIP-350: witness versions 1 to 16.
        case bech32m

        fileprivate var constant: UInt32 { self == .bech32 ? 1 : 0x2BC8_30A3 }
    }

    /// Why a text is not Bech32.
    public enum DecodingError: Error, Equatable, Sendable {
        /// Shorter than 8 or longer than 90 characters.
        case length(Int)
        /// Upper and lower case in one string.
        case mixedCase
        /// A character outside the printable range, or outside the alphabet after the separator.
        case character(offset: Int)
        /// No separator `1`, nothing before it, or fewer than six characters after it.
        case separator
        /// Neither checksum matches.
        case checksum
        /// Regrouping to 8 bits left over five or more bits, or bits that are not zero.
        case padding
    }

    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The lower-case string for a human-readable part and 5-bit values (each 0…31; higher bits are ignored).
    public static func encode(humanReadablePart: String, values data: [UInt8], variant: Variant) -> String {
        let prefix = humanReadablePart.lowercased()
        let masked = data.map { $0 & 31 }
        let residue = polymod(expand(Array(prefix.utf8)) + masked + [0, 0, 0, 0, 0, 0]) ^ variant.constant
        let checksum = (0..<6).map { UInt8(truncatingIfNeeded: residue >> UInt32(5 * (5 - $0))) & 31 }
        let body = (masked + checksum).map { alphabet[Int($0)] }
        return prefix + "1" + String(decoding: body, as: UTF8.self)
    }

    /// Splits a string after checking its length (8…90), case, alphabet and checksum.
    /// - Returns: the lower-case human-readable part, the 5-bit values without the checksum, and the variant.
    public static func decode(
        _ text: some StringProtocol
    ) throws(DecodingError) -> (humanReadablePart: String, values: [UInt8], variant: Variant) {
        let characters = Array(text.utf8.prefix(91))
        guard (8...90).contains(characters.count) else { throw .length(characters.count) }
        if let offset = characters.firstIndex(where: { !(33...126).contains($0) }) {
            throw .character(offset: offset)
        }
        let isLower = characters.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let isUpper = characters.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard !(isLower && isUpper) else { throw .mixedCase }
        let lower = isUpper ? characters.map(lowercased) : characters
        guard let separator = lower.lastIndex(of: UInt8(ascii: "1")), separator >= 1,
            lower.count - separator > 6
        else { throw .separator }
        let prefix = Array(lower[..<separator])
        var data: [UInt8] = []
        for offset in (separator + 1)..<lower.count {
            let value = values[Int(lower[offset])]
            guard value != 0xFF else { throw .character(offset: offset) }
            data.append(value)
        }
        let residue = polymod(expand(prefix) + data)
        let variant: Variant
        switch residue {
        case Variant.bech32.constant: variant = .bech32
        case Variant.bech32m.constant: variant = .bech32m
        default: throw .checksum
        }
        return (String(decoding: prefix, as: UTF8.self), Array(data.dropLast(6)), variant)
    }

    /// Regroups bytes into 5-bit values, the last one zero-filled.
    public static func fiveBitValues(of bytes: some Sequence<UInt8>) -> [UInt8] { FiveBitValues.of(bytes) }

    /// Regroups 5-bit values into bytes; at most four bits may be left over, all zero.
    public static func bytes(fromFiveBitValues values: some Sequence<UInt8>) throws(DecodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for value in values {
            buffer = (buffer & 0xFF) << 5 | UInt32(value & 31)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 5, buffer & ((1 << UInt32(bits)) - 1) == 0 else { throw .padding }
        return bytes
    }

    private static func lowercased(_ character: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) ? character + 32 : character
    }

    private static func expand(_ prefix: [UInt8]) -> [UInt8] {
        prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
    }

    private static func polymod(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
        var residue: UInt32 = 1
        for value in values {
            let top = residue >> 25
            residue = (residue & 0x1FF_FFFF) << 5 ^ UInt32(value)
            for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 {
                residue ^= term
            }
        }
        return residue
    }
}
