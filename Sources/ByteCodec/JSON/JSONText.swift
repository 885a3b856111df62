/// JSON to be written: members keep the given order.
///
/// Spec: RFC 8259. In addition, terminal control characters and characters that some programs treat as line ends are escaped.
package indirect enum JSONText: Sendable {
    /// A key and its value.
    package typealias Member = (key: String, value: JSONText)

    /// JSON that is already text: numbers with all their digits, values passed on as they were read.
    case verbatim(String)
    case string(String)
    case array([JSONText])
    case object([Member])

    package static var null: JSONText { .verbatim("null") }

    package static func bool(_ value: Bool) -> JSONText { .verbatim(value ? "true" : "false") }

    package static func number(_ value: some BinaryInteger) -> JSONText { .verbatim(String(value)) }

    /// A value that was read; its keys become alphabetical.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .verbatim(number.text)
        case .string(let text): self = .string(text)
        case .array(let values): self = .array(values.map { JSONText($0) })
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) })
        }
    }

    /// The text on one line, without spaces and without a line end.
    package var line: String { text(indentation: nil) }

    /// The text on several lines, with two spaces for each level, and a line end. Arrays of numbers and strings stay on one line.
    package var lines: String { text(indentation: 0) + "\n" }
}

extension JSONValue {
    /// The value as JSON text, on one line; keys in alphabetical order.
    package var serialized: [UInt8] { Array(JSONText(self).line.utf8) }
}

extension JSONText {
    private func text(indentation: Int?) -> String {
        var text: [UInt8] = []
        write(into: &text, indentation)
        return String(decoding: text, as: UTF8.self)
    }

    /// - Parameter indentation: how many levels the line is indented by; `nil`: everything on one line.
    private func write(into text: inout [UInt8], _ indentation: Int?) {
        switch self {
        case .verbatim(let json): text += json.utf8
        case .string(let content): Self.write(content, into: &text)
        case .array(let values):
            let isBroken = values.contains(where: \.isNested)
            Self.write(values, "[", "]", isBroken: isBroken, into: &text, indentation) { $0.write(into: &$1, $2) }
        case .object(let members):
            Self.write(members, "{", "}", isBroken: !members.isEmpty, into: &text, indentation) { member, text, inner in
                Self.write(member.key, into: &text)
                text += (inner == nil ? ":" : ": ").utf8
                member.value.write(into: &text, inner)
            }
        }
    }

    private var isNested: Bool {
        switch self {
        case .array, .object: true
        case .verbatim, .string: false
        }
    }

    private static func write<Item>(
        _ items: [Item], _ start: Unicode.Scalar, _ end: Unicode.Scalar, isBroken: Bool, into text: inout [UInt8],
        _ indentation: Int?, each: (Item, inout [UInt8], Int?) -> Void
    ) {
        let inner = indentation.map { $0 + 1 }
        func separate(_ level: Int?, _ text: inout [UInt8]) {
            guard isBroken, let level else { return }
            text.append(UInt8(ascii: "\n"))
            text += repeatElement(UInt8(ascii: " "), count: 2 * level)
        }
        text.append(UInt8(ascii: start))
        for (index, item) in items.enumerated() {
            if index > 0 { text += (isBroken || inner == nil ? "," : ", ").utf8 }
            separate(inner, &text)
            each(item, &text, inner)
        }
        separate(indentation, &text)
        text.append(UInt8(ascii: end))
    }

    private static func write(_ content: String, into text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for scalar in content.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\"".utf8
            case "\\": text += "\\\\".utf8
            case "\n": text += "\\n".utf8
            case "\r": text += "\\r".utf8
            case "\t": text += "\\t".utf8
            case ..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                text += "\\u".utf8 + Hex.encodeUTF8([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
            default: text += scalar.utf8
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
