/// A server's text, made safe to show: at most 300 characters, without control characters.
public struct ServerText: Hashable, Sendable, CustomStringConvertible {
    /// The most characters that are kept.
    public static let longest = 300

    /// The text that is safe to show.
    public let description: String

    /// Takes a text from outside.
    ///
    /// Control characters, line ends and direction marks become spaces, and runs of spaces become one. Text that is too long
    /// ends in an ellipsis.
    public init(_ text: some StringProtocol) {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let isSpace = Self.isUnsafe(scalar) || scalar == " "
            if isSpace, kept.isEmpty || kept.last == " " { continue }
            guard count < Self.longest else {
                kept.append("…")
                break
            }
            kept.append(isSpace ? " " : scalar)
            count += 1
        }
        if kept.last == " " { kept.removeLast() }
        description = String(kept)
    }

    /// Takes bytes from outside; invalid UTF-8 becomes the replacement character.
    init(bytes: some Collection<UInt8>) { self.init(String(decoding: bytes.prefix(4 * Self.longest), as: UTF8.self)) }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
