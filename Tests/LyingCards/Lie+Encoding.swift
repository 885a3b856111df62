import ByteCodec

@testable import TapSimulator

/// The same values in another CBOR. What is well-formed must be read alike, however long its heads are.
///
/// Spec: RFC 8949, sections 3.2 and 4.2; protocol, "Wire".
extension Lie {
    /// How many bytes a head's argument takes.
    public enum HeadWidth: UInt8, Sendable, CaseIterable {
        /// 1 byte.
        case one = 24
        /// 2 bytes.
        case two = 25
        /// 4 bytes.
        case four = 26
        /// 8 bytes.
        case eight = 27
    }

    /// Every head as long as this, or longer where its argument needs it: the same values, which must be read alike.
    public static func longHeads(_ width: HeadWidth) -> Lie {
        data("heads of \(1 << (width.rawValue - 24)) bytes") { data in
            guard let value = try? CBORDecoder.decode(data) else { return data }
            return Recoding(width: width).encode(value)
        }
    }

    /// Every map, array and string of indefinite length: the same values.
    public static let indefiniteLengths = data("indefinite lengths") { data in
        guard let value = try? CBORDecoder.decode(data) else { return data }
        return Recoding(isIndefinite: true).encode(value)
    }

    /// A map of indefinite length without its end.
    public static let endless = data("no end") { data in
        guard let value = try? CBORDecoder.decode(data) else { return data }
        return Recoding(isIndefinite: true).encode(value).dropLast()
    }

    /// The whole answer behind a tag, as if to say that it is CBOR (55799).
    public static let tagged = data("a tag before it") { [0xD9, 0xD9, 0xF7] + $0 }

    /// The whole answer in arrays, one in another.
    public static func nested(_ depth: Int) -> Lie {
        data("\(depth) arrays around it") { [UInt8](repeating: 0x81, count: max(0, depth)) + $0 }
    }

    /// A map that says to have more pairs than it has.
    public static let countTooGreat = data("a count too great") { data in
        guard let anatomy = AnswerAnatomy(data) else { return data }
        return data.replacing(anatomy.head, with: [0xBB] + [UInt8](repeating: 0xFF, count: 8))
    }

    /// A field's text, which is no UTF-8 any more.
    public static func notUTF8(_ name: String) -> Lie {
        field("\(name) no UTF-8", name) { data, field, _ in
            guard data[field.value.lowerBound] >> 5 == 3, !field.content.isEmpty else { return data }
            return data.replacing(field.content.lowerBound..<(field.content.lowerBound + 1), with: [0xFF])
        }
    }
}

/// Writes CBOR otherwise than shortest.
private struct Recoding {
    var width: Lie.HeadWidth?
    var isIndefinite = false

    func encode(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let offset): head(1, offset)
        case .bytes(let content): string(2, content)
        case .text(let text): string(3, Array(text.utf8))
        case .array(let items): container(4, items.count, items.flatMap(encode))
        case .map(let map): container(5, map.pairs.count, map.pairs.flatMap { encode(.text($0)) + encode($1) })
        case .bool, .null, .other: CBOREncoder.encode(value)
        }
    }

    private func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let needed: UInt8 =
            switch argument {
            case 0..<24: 0
            case 24...0xFF: 24
            case 0x100...0xFFFF: 25
            case 0x1_0000...0xFFFF_FFFF: 26
            default: 27
            }
        let information = max(needed, width?.rawValue ?? 0)
        guard information >= 24 else { return [major << 5 | UInt8(argument)] }
        let bytes = withUnsafeBytes(of: argument.bigEndian) { Array($0) }
        return [major << 5 | information] + bytes.suffix(1 << Int(information - 24))
    }

    /// A string of indefinite length comes in chunks that are no longer than 20 bytes.
    private func string(_ major: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard isIndefinite else { return head(major, UInt64(content.count)) + content }
        let chunks = stride(from: 0, to: content.count, by: 20).flatMap { start in
            let chunk = content[start..<min(start + 20, content.count)]
            return head(major, UInt64(chunk.count)) + chunk
        }
        return [major << 5 | 31] + chunks + [0xFF]
    }

    private func container(_ major: UInt8, _ count: Int, _ content: [UInt8]) -> [UInt8] {
        isIndefinite ? [major << 5 | 31] + content + [0xFF] : head(major, UInt64(count)) + content
    }
}
