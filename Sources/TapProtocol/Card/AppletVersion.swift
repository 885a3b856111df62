/// The version of a card's applet, such as 1.0.3.
///
/// No proof depends on it, so any text is accepted, and the numbers at its beginning count. A text without them is an
/// unreadable version, and the card gets the most careful treatment: its seal must be proven as for the newest version,
/// and its nonce is fetched again after an error as for the oldest.
///
/// Versions are compared by their numbers alone. An unreadable version is above all others; it says nothing about the card
/// and should not be remembered (`isReadable`).
///
/// Spec: protocol, first section; the maker's change log.
public struct AppletVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The longest text that is kept, in characters.
    public static let maximumTextLength = 32

    /// First number; `Int.max` if the version is unreadable.
    public let major: Int
    /// Second number; `Int.max` if the version is unreadable.
    public let minor: Int
    /// Third number, 0 if there is none; `Int.max` if the version is unreadable.
    public let patch: Int
    /// The card's own text: printable ASCII, at most 32 characters, anything else replaced by `?`; empty if there is none.
    public let text: String

    /// Creates a version from its numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.init((major, minor, patch), text: "\(major).\(minor).\(patch)")
    }

    /// Parses the numbers at the beginning of a text, as `init(cardText:)` does; `nil` if there are none.
    public init?(parsing text: String) {
        self.init(cardText: text)
        guard isReadable else { return nil }
    }

    /// Accepts whatever a card gives as its version: two or more decimal numbers of one to three digits, separated by
    /// points, optionally after a `v`. Anything after the third number is ignored.
    public init(cardText text: String) {
        let printable = text.unicodeScalars.prefix(Self.maximumTextLength)
            .map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        self.init(Self.numbers(in: text) ?? (.max, .max, .max), text: String(printable))
    }

    private init(_ numbers: (Int, Int, Int), text: String) {
        (major, minor, patch) = numbers
        self.text = text
    }

    private static func numbers(in text: String) -> (Int, Int, Int)? {
        var rest = Substring(text).utf8
        if let first = rest.first, first == UInt8(ascii: "v") || first == UInt8(ascii: "V") { rest.removeFirst() }
        var numbers: [Int] = []
        while numbers.count < 3 {
            let digits = rest.prefix { (48...57).contains($0) }
            guard (1...3).contains(digits.count) else { break }
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - 48) })
            rest = rest[digits.endIndex...]
            guard rest.first == UInt8(ascii: ".") else { break }
            rest.removeFirst()
        }
        guard numbers.count >= 2 else { return nil }
        return (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
    }

    /// Whether the card's text has numbers. An unreadable version is above all others, and should not be remembered as the
    /// card's.
    public var isReadable: Bool { major != .max }

    /// Compares the first, then the second, then the third number; an unreadable version is above all others.
    public static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// Whether the numbers are equal, whatever else the texts contain.
    public static func == (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) == (right.major, right.minor, right.patch)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(major)
        hasher.combine(minor)
        hasher.combine(patch)
    }

    /// The card's own text, safe to print; `unknown` if there is none.
    public var description: String { text.isEmpty ? "unknown" : text }

    /// Whether the card nonce changes only with a response that carries the new one (since 1.0.0).
    var keepsNonceOnError: Bool { isReadable && self >= Self(1, 0, 0) }

    /// Whether a SATSCARD's `check` also signs the sealed slot's key (since 1.0.0); before that, nothing proves a seal.
    public var provesSeal: Bool { self >= Self(1, 0, 0) }
}
