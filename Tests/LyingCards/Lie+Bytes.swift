@testable import TapSimulator

/// Lies about single bytes and bits, and about where an answer ends.
///
/// Offsets count from the answer's first byte. An offset behind the last byte changes nothing.
extension Lie {
    /// A byte XORed with `mask`.
    public static func xor(at offset: Int, with mask: UInt8) -> Lie {
        Lie("byte \(offset) ^ \(mask)") { answer, _ in answer.flipping(mask, at: offset) }
    }

    /// A bit flipped; bit 0 is the lowest of the first byte.
    public static func flip(bit: Int) -> Lie {
        Lie("bit \(bit)") { answer, _ in answer.flipping(1 << UInt8(bit & 7), at: bit >> 3) }
    }

    /// A byte within a field's content XORed with `mask`.
    public static func xor(_ name: String, at offset: Int, with mask: UInt8) -> Lie {
        field("\(name), byte \(offset) ^ \(mask)", name) { data, field, _ in
            guard (0..<field.content.count).contains(offset) else { return data }
            return data.flipping(mask, at: field.content.lowerBound + offset)
        }
    }

    /// A bit within a field's content flipped; bit 0 is the lowest of its first byte.
    public static func flip(_ name: String, bit: Int) -> Lie { xor(name, at: bit >> 3, with: 1 << UInt8(bit & 7)) }

    /// A byte replaced.
    public static func setByte(at offset: Int, to byte: UInt8) -> Lie {
        Lie("byte \(offset) = \(byte)") { answer, _ in
            answer.indices.contains(offset) ? answer.replacing(offset..<(offset + 1), with: [byte]) : answer
        }
    }

    /// Only the first bytes of the CBOR, and the status word behind them.
    public static func cut(to count: Int) -> Lie { data("cut to \(count) bytes") { Array($0.prefix(max(0, count))) } }

    /// Only the first bytes, without a status word unless that many are left.
    public static func cutOff(after count: Int) -> Lie {
        Lie("cut off after \(count) bytes") { answer, _ in Array(answer.prefix(max(0, count))) }
    }

    /// More bytes between the CBOR and the status word.
    public static func append(_ bytes: [UInt8]) -> Lie { data("\(bytes.count) bytes more") { $0 + bytes } }

    /// More bytes behind the status word.
    public static func trail(_ bytes: [UInt8]) -> Lie {
        Lie("\(bytes.count) bytes behind the status word") { answer, _ in answer + bytes }
    }

    /// The CBOR twice, then the status word.
    public static let doubleData = data("CBOR twice") { $0 + $0 }

    /// The whole answer twice.
    public static let double = Lie("answer twice") { answer, _ in answer + answer }

    /// Another status word behind the same CBOR.
    public static func statusWord(_ word: UInt16) -> Lie {
        Lie("status word \(String(word, radix: 16))") { answer, _ in answer.dropLast(2) + Self.bytes(word) }
    }

    /// A status word and nothing before it.
    public static func onlyStatusWord(_ word: UInt16) -> Lie {
        Lie("only status word \(String(word, radix: 16))") { _, _ in Self.bytes(word) }
    }

    /// These bytes, whatever the card said.
    public static func answer(_ bytes: [UInt8]) -> Lie { Lie("\(bytes.count) other bytes") { _, _ in bytes } }

    /// No bytes at all, as no reader delivers them.
    public static let empty = answer([])

    private static func bytes(_ word: UInt16) -> [UInt8] { [UInt8(word >> 8), UInt8(word & 0xFF)] }
}

extension [UInt8] {
    fileprivate func flipping(_ mask: UInt8, at offset: Int) -> Self {
        guard indices.contains(offset) else { return self }
        var result = self
        result[offset] ^= mask
        return result
    }
}
