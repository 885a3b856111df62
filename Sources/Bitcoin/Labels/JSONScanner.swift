/// Reads JSON text strictly, and leaves what is not asked for as it stands: numbers keep every digit.
///
/// Spec: RFC 8259.
struct JSONScanner {
    /// Where text is no JSON, in bytes from its beginning.
    struct Fault: Error, Equatable {
        let offset: Int
    }

    /// A member of an object.
    struct Member {
        let key: String
        /// The value's text.
        let value: ArraySlice<UInt8>
    }

    /// How deep values may lie in one another.
    private static let deepest = 64

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// A scanner at the beginning of a text.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next byte; `nil` at the end.
    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private var fault: Fault { Fault(offset: position - bytes.startIndex) }

    /// Passes over white space; whether something follows.
    mutating func skipWhitespace() -> Bool {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        return next != nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next, UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    /// The members of the object that fills the text, in its order.
    mutating func object() throws(Fault) -> [Member] {
        let members = try members(depth: 0)
        guard !skipWhitespace() else { throw fault }
        return members
    }

    /// The string that fills the text.
    mutating func onlyString() throws(Fault) -> String {
        let text = try string()
        guard !skipWhitespace() else { throw fault }
        return text
    }

    private mutating func members(depth: Int) throws(Fault) -> [Member] {
        var members: [Member] = []
        guard skipWhitespace(), take("{"), skipWhitespace() else { throw fault }
        if take("}") { return members }
        repeat {
            guard skipWhitespace() else { throw fault }
            let key = try string()
            guard skipWhitespace(), take(":") else { throw fault }
            members.append(Member(key: key, value: try value(depth: depth + 1)))
            guard skipWhitespace() else { throw fault }
        } while take(",")
        guard take("}") else { throw fault }
        return members
    }

    /// Passes over a value.
    /// - Returns: its text.
    private mutating func value(depth: Int) throws(Fault) -> ArraySlice<UInt8> {
        guard depth <= Self.deepest, skipWhitespace(), let first = next else { throw fault }
        let start = position
        switch first {
        case UInt8(ascii: "{"): _ = try members(depth: depth)
        case UInt8(ascii: "["): try elements(depth: depth)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return bytes[start..<position]
    }

    private mutating func elements(depth: Int) throws(Fault) {
        guard take("["), skipWhitespace() else { throw fault }
        if take("]") { return }
        repeat {
            _ = try value(depth: depth + 1)
            guard skipWhitespace() else { throw fault }
        } while take(",")
        guard take("]") else { throw fault }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for character in word.description.unicodeScalars {
            guard take(character) else { throw fault }
        }
    }

    private mutating func number() throws(Fault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw fault }
    }

    private mutating func string() throws(Fault) -> String {
        guard take("\"") else { throw fault }
        var utf8: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: utf8, as: UTF8.self) else { throw fault }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                utf8 += Array(String(try escaped()).utf8)
            case ..<0x20: throw fault
            default:
                utf8.append(byte)
                position += 1
            }
        }
        throw fault
    }

    /// The character behind a backslash.
    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        for (name, character): (Unicode.Scalar, Unicode.Scalar) in [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ] where take(name) { return character }
        guard take("u") else { throw fault }
        let unit = try codeUnit()
        guard (0xD800...0xDBFF).contains(unit) else {
            guard let scalar = Unicode.Scalar(unit) else { throw fault }
            return scalar
        }
        // The second half of a character beyond the first 65 536.
        guard take("\\"), take("u") else { throw fault }
        let low = try codeUnit()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw fault }
        return scalar
    }

    private mutating func codeUnit() throws(Fault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw fault }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

extension JSONScanner {
    /// A text as a JSON string, with quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case ..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
