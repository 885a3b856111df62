/// A text that a server wrote, made fit to be shown: at most 300 characters, without control characters.
public struct ServerText: Hashable, Sendable, CustomStringConvertible {
    /// The most characters kept.
    public static let longest = 300

    /// The text as it may be shown.
    public let description: String

    /// Takes a text from outside.
    ///
    /// Control characters, line ends and the marks that turn the direction of writing become spaces; runs of spaces
    /// become one. What is too long ends in an ellipsis.
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

    /// Takes bytes from outside; what is no UTF-8 shows as the replacement character.
    init(bytes: some Collection<UInt8>) { self.init(String(decoding: bytes.prefix(4 * Self.longest), as: UTF8.self)) }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
