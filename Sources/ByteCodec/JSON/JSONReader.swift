/// Reads JSON strictly and within limits. All JSON from outside is read here.
///
/// Spec: RFC 8259. Bytes must be UTF-8 without a byte order mark, and surrogates must come in pairs.
package struct JSONReader {
    /// What happens to a key that an object has twice.
    package enum RepeatedKeys: Sendable {
        /// The text is rejected: some readers would take the first value, others the last.
        case refused
        /// The first one counts.
        case firstCounts
    }

    private let bytes: [UInt8]
    private let bounds: JSONBounds
    private let repeatedKeys: RepeatedKeys
    private var position = 0
    private var valueCount = 0

    private init(_ bytes: [UInt8], _ bounds: JSONBounds, _ repeatedKeys: RepeatedKeys) throws(JSONFault) {
        guard bytes.count <= bounds.length else { throw JSONFault(.length, at: bounds.length) }
        self.bytes = bytes
        self.bounds = bounds
        self.repeatedKeys = repeatedKeys
    }

    /// Reads the one value in the bytes; only white space may surround it.
    package static func value(
        _ bytes: [UInt8], within bounds: JSONBounds = JSONBounds(), repeatedKeys: RepeatedKeys = .refused
    ) throws(JSONFault) -> JSONValue {
        var reader = try JSONReader(bytes, bounds, repeatedKeys)
        let value = try reader.value(depth: 0)
        try reader.expectEnd()
        return value
    }

    /// Reads the members of the one object in the bytes, in order, each with its text.
    /// - Parameter repeatedKeys: for nested objects; all members of the outer object are returned.
    package static func members(
        _ bytes: [UInt8], within bounds: JSONBounds = JSONBounds(), repeatedKeys: RepeatedKeys = .refused
    ) throws(JSONFault) -> [JSONMember] {
        var reader = try JSONReader(bytes, bounds, repeatedKeys)
        reader.skipSpace()
        guard reader.next == UInt8(ascii: "{") else { throw JSONFault(.noObject, at: reader.position) }
        var members: [JSONMember] = []
        try reader.members(depth: 0) { key, value, place throws(JSONFault) in
            members.append(JSONMember(key: key, value: value, text: bytes[place]))
        }
        try reader.expectEnd()
        return members
    }
}

/// A member of an object, with its value as written.
package struct JSONMember: Sendable {
    /// The key, without its escapes.
    package let key: String
    /// The value.
    package let value: JSONValue
    /// The value's text, with every digit and space.
    package let text: ArraySlice<UInt8>
}

extension JSONReader {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var fault: JSONFault { JSONFault(.syntax, at: position) }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard take(byte) else { throw fault }
    }

    private mutating func expectEnd() throws(JSONFault) {
        skipSpace()
        guard position == bytes.count else { throw fault }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        guard depth <= bounds.depth else { throw JSONFault(.depth, at: position) }
        valueCount += 1
        guard valueCount <= bounds.valueCount else { throw JSONFault(.valueCount, at: position) }
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

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for byte in word.description.utf8 { try expect(byte) }
        return value
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
        var object: [String: JSONValue] = [:]
        let refusesRepeated = repeatedKeys == .refused
        try members(depth: depth) { key, value, place throws(JSONFault) in
            guard let first = object.updateValue(value, forKey: key) else { return }
            guard !refusesRepeated else { throw JSONFault(.repeatedKey, at: place.upperBound) }
            object[key] = first
        }
        return .object(object)
    }

    /// Reads the object that starts here.
    /// - Parameter each: called with each key, its value, and the range of the value's text.
    private mutating func members(
        depth: Int, _ each: (String, JSONValue, Range<Int>) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try expect(UInt8(ascii: "{"))
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let key = try string()
            guard key.utf8.count <= bounds.keyLength else { throw JSONFault(.keyLength, at: position) }
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            let start = position
            let value = try value(depth: depth + 1)
            try each(key, value, start..<position)
            skipSpace()
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
        try expect(UInt8(ascii: "["))
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

    private mutating func number() throws(JSONFault) -> JSONNumber {
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

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw fault }
    }

    private mutating func string() throws(JSONFault) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        var content = Array(bytes[start..<position])
        while next != UInt8(ascii: "\"") {
            guard let byte = next, byte >= 0x20 else { throw fault }
            position += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &content) } else { content.append(byte) }
        }
        guard let text = String(validating: content, as: UTF8.self) else { throw fault }
        guard !text.hasEndlessLetter else { throw JSONFault(.endlessLetter, at: start) }
        position += 1
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONFault) {
        guard let byte = next else { throw fault }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]) {
                try expect(UInt8(ascii: "\\"))
                try expect(UInt8(ascii: "u"))
                units.append(try codeUnit())
            }
            guard let character = String(validating: units, as: UTF16.self) else { throw fault }
            content += character.utf8
            return
        default: throw fault
        }
        position += 1
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Unicode.Scalar(byte).hexadecimalDigit else { throw fault }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}

extension Unicode.Scalar {
    /// The value of an ASCII digit; letters in either case.
    fileprivate var hexadecimalDigit: UInt16? {
        switch self {
        case "0"..."9": UInt16(value - 0x30)
        case "a"..."f": UInt16(value - 0x61 + 10)
        case "A"..."F": UInt16(value - 0x41 + 10)
        default: nil
        }
    }
}
