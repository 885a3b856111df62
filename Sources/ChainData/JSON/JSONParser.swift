import ByteCodec

/// Reads JSON from a server: strictly, and with bounds on depth and count.
///
/// Spec: RFC 8259; beyond it, a key may come only once in an object, and bytes must be UTF-8.
struct JSONParser {
    /// Why bytes are no JSON that is taken here.
    enum Failure: Error, Equatable {
        /// Something unexpected at this offset in bytes.
        case syntax(offset: Int)
        /// Deeper than `deepest`.
        case depth
        /// More than `mostValues`.
        case count
        /// A letter with more accents than any writing has, in the text that begins at this offset.
        case endlessLetter(offset: Int)
        /// A key longer than `longestKey`.
        case keyLength
        /// A key twice in an object, ending at this offset.
        case duplicateKey(offset: Int)
    }

    static let deepest = 32
    static let mostValues = 2_000_000
    /// The longest key, in bytes: a host's name has no more.
    static let longestKey = 256

    private let bytes: [UInt8]
    private var position = 0
    private var values = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads one value that fills the bytes, but for white space around it.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw .syntax(offset: parser.position) }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Failure) {
        guard take(byte) else { throw .syntax(offset: position) }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth <= Self.deepest else { throw .depth }
        values += 1
        guard values <= Self.mostValues else { throw .count }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        for byte in word.description.utf8 { try expect(byte) }
        return value
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            let key = try string()
            guard key.utf8.count <= Self.longestKey else { throw .keyLength }
            skipSpace()
            try expect(UInt8(ascii: ":"))
            let member = try value(depth: depth + 1)
            guard members.updateValue(member, forKey: key) == nil else { throw .duplicateKey(offset: position) }
            skipSpace()
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return .array(elements)
    }

    private mutating func number() throws(Failure) -> JSONNumber {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw .syntax(offset: position) }
    }

    private mutating func string() throws(Failure) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if take(UInt8(ascii: "\"")) { return try text(Array(bytes[start..<position - 1]), from: start) }
        var content = Array(bytes[start..<position])
        while !take(UInt8(ascii: "\"")) {
            guard let byte = next, byte >= 0x20 else { throw .syntax(offset: position) }
            position += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &content) } else { content.append(byte) }
        }
        return try text(content, from: start)
    }

    private func text(_ content: [UInt8], from start: Int) throws(Failure) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw .syntax(offset: start) }
        guard !text.hasEndlessLetter else { throw .endlessLetter(offset: start) }
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(Failure) {
        let offset = position
        guard let byte = next else { throw .syntax(offset: offset) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]) {
                try expect(UInt8(ascii: "\\"))
                try expect(UInt8(ascii: "u"))
                units.append(try codeUnit())
            }
            guard let character = String(validating: units, as: UTF16.self) else { throw .syntax(offset: offset) }
            content += character.utf8
        default: throw .syntax(offset: offset)
        }
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
        else { throw .syntax(offset: position) }
        position = end
        return unit
    }
}
