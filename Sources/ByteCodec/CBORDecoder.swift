/// Reads one CBOR item, strictly on structure and leniently on head length.
///
/// Rejects truncated items, reserved heads, stray breaks, text that is not UTF-8, a text key twice in one map, nesting
/// deeper than `maximumDepth`, and bytes after the item. Accepts heads longer than necessary (cards write them) and
/// indefinite lengths.
///
/// Spec: RFC 8949, sections 3 and 5.3.1; protocol, "Wire".
public enum CBORDecoder {
    /// Why bytes are not one CBOR item.
    public enum DecodingError: Error, Equatable, Sendable {
        /// The bytes end before the item does.
        case truncated
        /// A reserved additional information value, a two-byte simple value below 32, a misplaced break, or text with a
        /// character that has an absurd number of combining marks.
        case malformed(offset: Int)
        /// A text string that is not UTF-8.
        case notUTF8(offset: Int)
        /// The same key twice in one map.
        case duplicateKey(String)
        /// Arrays, maps and tags nested deeper than `maximumDepth`.
        case tooDeep
        /// Bytes after the item.
        case trailingBytes(count: Int)
    }

    /// The deepest nesting that is read. Card answers need 2.
    public static let maximumDepth = 16

    /// The one item in `bytes`.
    public static func decode(_ bytes: [UInt8]) throws(DecodingError) -> CBORValue {
        var parser = Parser(bytes: bytes)
        let value = try parser.item(depth: 0)
        guard parser.position == bytes.count else {
            throw .trailingBytes(count: bytes.count - parser.position)
        }
        return value
    }
}

private struct Parser {
    typealias Failure = CBORDecoder.DecodingError

    private struct Head {
        let major: UInt8
        let information: UInt8
        /// `nil`: indefinite length, or a break.
        let argument: UInt64?
    }

    private static let breakByte: UInt8 = 0xFF

    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func item(depth: Int) throws(Failure) -> CBORValue {
        guard depth <= CBORDecoder.maximumDepth else { throw .tooDeep }
        let start = position
        let head = try self.head()
        switch head.major {
        case 0:
            guard let number = head.argument else { throw .malformed(offset: start) }
            return .unsigned(number)
        case 1:
            guard let offset = head.argument else { throw .malformed(offset: start) }
            return .negative(offset: offset)
        case 2: return .bytes(try string(head))
        case 3: return .text(try text(head, start: start))
        case 4: return .array(try array(head, depth: depth))
        case 5: return try map(head, start: start, depth: depth)
        case 6:
            guard head.argument != nil else { throw .malformed(offset: start) }
            _ = try item(depth: depth + 1)
            return .other(Array(bytes[start..<position]))
        default: return try simple(head, start: start)
        }
    }

    private mutating func head() throws(Failure) -> Head {
        let start = position
        let initial = try take(1)[start]
        let information = initial & 31
        switch information {
        case 0..<24:
            return Head(major: initial >> 5, information: information, argument: UInt64(information))
        case 24...27:
            var argument: UInt64 = 0
            for byte in try take(1 << Int(information - 24)) { argument = argument << 8 | UInt64(byte) }
            return Head(major: initial >> 5, information: information, argument: argument)
        case 31:
            return Head(major: initial >> 5, information: information, argument: nil)
        default: throw .malformed(offset: start)
        }
    }

    private mutating func take(_ count: UInt64) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        defer { position += Int(count) }
        return bytes[position..<(position + Int(count))]
    }

    /// Consumes a break if one is next.
    private mutating func isAtBreak() throws(Failure) -> Bool {
        guard position < bytes.count else { throw .truncated }
        guard bytes[position] == Self.breakByte else { return false }
        position += 1
        return true
    }

    private mutating func string(_ head: Head) throws(Failure) -> [UInt8] {
        if let length = head.argument { return Array(try take(length)) }
        var content: [UInt8] = []
        while try !isAtBreak() {
            let start = position
            let chunk = try self.head()
            guard chunk.major == head.major, let length = chunk.argument else { throw .malformed(offset: start) }
            let part = try take(length)
            if head.major == 3, String(validating: part, as: UTF8.self) == nil { throw .notUTF8(offset: start) }
            content += part
        }
        return content
    }

    private mutating func text(_ head: Head, start: Int) throws(Failure) -> String {
        guard let text = String(validating: try string(head), as: UTF8.self) else { throw .notUTF8(offset: start) }
        guard !text.hasEndlessLetter else { throw .malformed(offset: start) }
        return text
    }

    private mutating func array(_ head: Head, depth: Int) throws(Failure) -> [CBORValue] {
        var items: [CBORValue] = []
        if let count = head.argument {
            guard count <= UInt64(bytes.count - position) else { throw .truncated }
            for _ in 0..<count { items.append(try item(depth: depth + 1)) }
        } else {
            while try !isAtBreak() { items.append(try item(depth: depth + 1)) }
        }
        return items
    }

    private mutating func map(_ head: Head, start: Int, depth: Int) throws(Failure) -> CBORValue {
        var map = CBORMap()
        var hasOnlyTextKeys = true
        if let count = head.argument {
            guard count <= UInt64(bytes.count - position) else { throw .truncated }
            for _ in 0..<count { try pair(into: &map, &hasOnlyTextKeys, depth: depth) }
        } else {
            while try !isAtBreak() { try pair(into: &map, &hasOnlyTextKeys, depth: depth) }
        }
        return hasOnlyTextKeys ? .map(map) : .other(Array(bytes[start..<position]))
    }

    private mutating func pair(
        into map: inout CBORMap, _ hasOnlyTextKeys: inout Bool, depth: Int
    ) throws(Failure) {
        let key = try item(depth: depth + 1)
        let value = try item(depth: depth + 1)
        guard case .text(let name) = key else {
            hasOnlyTextKeys = false
            return
        }
        guard map[name] == nil else { throw .duplicateKey(name) }
        map[name] = value
    }

    private func simple(_ head: Head, start: Int) throws(Failure) -> CBORValue {
        switch (head.information, head.argument) {
        case (31, _): throw .malformed(offset: start)
        case (20, _): return .bool(false)
        case (21, _): return .bool(true)
        case (22, _): return .null
        case (24, let value?) where value < 32: throw .malformed(offset: start)
        default: return .other(Array(bytes[start..<position]))
        }
    }
}
