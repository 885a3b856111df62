/// The version of a card's applet, such as 1.0.3.
///
/// No proof needs it, so every text is taken: what numbers it begins with count. A text without them is a version that
/// cannot be read, and the card is treated as carefully as can be: its seal must be proven as by the newest version, and
/// its nonce is asked for after an error as with the oldest.
///
/// Two versions are equal, and one is below the other, by their numbers alone. One that cannot be read is above all that
/// can; it says nothing of the card, and is nothing to remember (`isReadable`).
///
/// Spec: protocol, first section; the maker's change log.
public struct AppletVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The longest text that is kept, in characters.
    public static let maximumTextLength = 32

    /// First number; `Int.max` when the version cannot be read.
    public let major: Int
    /// Second number; `Int.max` when the version cannot be read.
    public let minor: Int
    /// Third number, 0 when there is none; `Int.max` when the version cannot be read.
    public let patch: Int
    /// The card's own text: printable ASCII, at most 32 characters, anything else replaced by `?`; empty when it has none.
    public let text: String

    /// A version from its numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.init((major, minor, patch), text: "\(major).\(minor).\(patch)")
    }

    /// Reads the numbers at a text's beginning, as `init(cardText:)` does; `nil` when there are none.
    public init?(parsing text: String) {
        self.init(cardText: text)
        guard isReadable else { return nil }
    }

    /// Takes whatever a card calls its version: two or more decimal numbers of one to three digits with points between
    /// them, maybe behind a `v`; what follows the third number does not count.
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

    /// Whether the card's text has numbers. What cannot be read is above every version, and is not to be remembered as the
    /// card's.
    public var isReadable: Bool { major != .max }

    /// By first, then second, then third number; one that cannot be read is above all others.
    public static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// Whether the numbers are the same, whatever else stands in the texts.
    public static func == (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) == (right.major, right.minor, right.patch)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(major)
        hasher.combine(minor)
        hasher.combine(patch)
    }

    /// The card's own text, safe to print; `unknown` when it has none.
    public var description: String { text.isEmpty ? "unknown" : text }

    /// Whether the card nonce changes only together with an answer that carries the new one (since 1.0.0).
    var keepsNonceOnError: Bool { isReadable && self >= Self(1, 0, 0) }

    /// Whether a SATSCARD's `check` signs the sealed slot's key too (since 1.0.0): before, nothing proves a seal.
    public var provesSeal: Bool { self >= Self(1, 0, 0) }
}
