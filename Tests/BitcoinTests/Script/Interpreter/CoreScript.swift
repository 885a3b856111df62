import Bitcoin
import ByteCodec
import Testing

/// Scripts as Bitcoin Core's test files write them: numbers, `0x…` for bytes as they are, `'…'` for pushed text, and names of
/// operations.
///
/// Spec: Bitcoin Core, `ParseScript`.
enum CoreScript {
    static func script(_ text: String) throws -> Script {
        var bytes: [UInt8] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) {
            if let number = Int(word) {
                bytes += push(number)
            } else if word.hasPrefix("0x") {
                bytes += try Hex.decode(word.dropFirst(2))
            } else if word.hasPrefix("'"), word.hasSuffix("'"), word.count >= 2 {
                bytes += push(Array(word.dropFirst().dropLast().utf8))
            } else {
                let name = word.hasPrefix("OP_") ? String(word.dropFirst(3)) : String(word)
                bytes.append(try #require(ScriptAssembly.opcodes[ours[name] ?? name], "\(word)"))
            }
        }
        return Script(bytes)
    }

    /// What our tables call otherwise.
    private static let ours = [
        "TOALTSTACK": "TOALT", "FROMALTSTACK": "FROMALT", "CHECKLOCKTIMEVERIFY": "CLTV", "CHECKSEQUENCEVERIFY": "CSV",
    ]

    /// `CScript << int64_t`.
    private static func push(_ number: Int) -> [UInt8] {
        if number == 0 { return [0] }
        if (-1...16).contains(number) { return [UInt8(0x50 + number)] }
        var bytes: [UInt8] = []
        var magnitude = number.magnitude
        while magnitude > 0 {
            bytes.append(UInt8(magnitude & 0xFF))
            magnitude >>= 8
        }
        if let last = bytes.last, last >= 0x80 { bytes.append(0) }
        if number < 0 { bytes[bytes.count - 1] |= 0x80 }
        return push(bytes)
    }

    /// `CScript << std::vector`: the shortest length, but never an operation for a small number.
    private static func push(_ data: [UInt8]) -> [UInt8] {
        switch data.count {
        case ..<0x4C: [UInt8(data.count)] + data
        case ...0xFF: [0x4C, UInt8(data.count)] + data
        default: [0x4D, UInt8(data.count & 0xFF), UInt8(data.count >> 8)] + data
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ opcode: Opcode) { append(opcode.rawValue) }
}
