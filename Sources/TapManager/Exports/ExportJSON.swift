/// JSON as files of other programs have it: with their own keys, in their order.
///
/// Spec: RFC 8259.
indirect enum ExportJSON {
    case null
    case bool(Bool)
    case number(Int64)
    case string(String)
    case array([ExportJSON])
    case object([(key: String, value: ExportJSON)])

    /// The text on several lines, with two spaces for each level, and a line end.
    var text: String { lines(indentation: "") + "\n" }

    private func lines(indentation: String) -> String {
        let inner = indentation + "  "
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let value): return String(value)
        case .string(let value): return Self.quoted(value)
        case .array(let values):
            // Pairs of numbers and the like stay on one line.
            guard values.contains(where: \.isNested) else {
                return "[" + values.map { $0.lines(indentation: inner) }.joined(separator: ", ") + "]"
            }
            return Self.block("[", values.map { $0.lines(indentation: inner) }, "]", indentation)
        case .object(let members):
            return Self.block(
                "{", members.map { "\(Self.quoted($0.key)): \($0.value.lines(indentation: inner))" }, "}", indentation)
        }
    }

    private var isNested: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }

    private static func block(_ opening: String, _ items: [String], _ closing: String, _ indentation: String) -> String
    {
        guard !items.isEmpty else { return opening + closing }
        let inner = indentation + "  "
        return opening + "\n" + items.map { inner + $0 }.joined(separator: ",\n") + "\n\(indentation)\(closing)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
