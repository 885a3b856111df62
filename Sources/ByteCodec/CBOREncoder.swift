/// Writes CBOR with definite lengths and shortest heads, as tap cards need it.
///
/// Spec: RFC 8949, section 4.1; protocol, "Wire".
public enum CBOREncoder {
    /// The encoding of a value. Map pairs keep their order; `.other` is written as it was read.
    public static func encode(_ value: CBORValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    private static func append(_ value: CBORValue, to bytes: inout [UInt8]) {
        switch value {
        case .unsigned(let number): appendHead(major: 0, number, to: &bytes)
        case .negative(let offset): appendHead(major: 1, offset, to: &bytes)
        case .bytes(let content):
            appendHead(major: 2, UInt64(content.count), to: &bytes)
            bytes += content
        case .text(let content):
            appendHead(major: 3, UInt64(content.utf8.count), to: &bytes)
            bytes += Array(content.utf8)
        case .array(let items):
            appendHead(major: 4, UInt64(items.count), to: &bytes)
            for item in items { append(item, to: &bytes) }
        case .map(let map):
            appendHead(major: 5, UInt64(map.pairs.count), to: &bytes)
            for (key, item) in map.pairs {
                append(.text(key), to: &bytes)
                append(item, to: &bytes)
            }
        case .bool(let flag): bytes.append(flag ? 0xF5 : 0xF4)
        case .null: bytes.append(0xF6)
        case .other(let encoding): bytes += encoding
        }
    }

    private static func appendHead(major: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
        let (information, width): (UInt8, Int) =
            switch argument {
            case 0..<24: (UInt8(argument), 0)
            case 24...0xFF: (24, 1)
            case 0x100...0xFFFF: (25, 2)
            case 0x1_0000...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        bytes.append(major << 5 | information)
        for index in (0..<width).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64(8 * index)))
        }
    }
}
