import ByteCodec

extension JSONValue {
    /// An integer.
    static func integer(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(text: String(value))) }

    /// The value as JSON text, in one line; keys in alphabetical order.
    var serialized: [UInt8] {
        var bytes: [UInt8] = []
        serialize(into: &bytes)
        return bytes
    }

    private func serialize(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): Self.serialize(text, into: &bytes)
        case .array(let values): Self.serialize(values, "[", "]", into: &bytes) { $0.serialize(into: &$1) }
        case .object(let members):
            Self.serialize(members.sorted { $0.key < $1.key }, "{", "}", into: &bytes) {
                Self.serialize($0.key, into: &$1)
                $1.append(UInt8(ascii: ":"))
                $0.value.serialize(into: &$1)
            }
        }
    }

    private static func serialize<Element>(
        _ elements: [Element], _ start: Unicode.Scalar, _ end: Unicode.Scalar, into bytes: inout [UInt8],
        each: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: start))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            each(element, &bytes)
        }
        bytes.append(UInt8(ascii: end))
    }

    private static func serialize(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: bytes += "\\u00".utf8 + Hex.encodeUTF8([byte])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
