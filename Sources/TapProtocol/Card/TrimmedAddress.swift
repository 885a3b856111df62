import Bitcoin

/// A SATSCARD slot's address as `status` shows it: twelve characters, three underscores, twelve characters. Only the slot's
/// key reveals the middle. How many characters are shown does not matter to a proof: eight at each end are enough.
///
/// Spec: protocol, "Commands" (`status`, `addr`).
public struct TrimmedAddress: Hashable, Sendable, CustomStringConvertible {
    /// The fewest characters at each end: besides `bc1q`, the first eight carry twenty bits, the last eight forty.
    private static let leastVisible = 8
    /// How many characters are usually shown at each end.
    private static let usualVisible = 12

    /// The first characters, eight or more; usually twelve.
    public let head: String
    /// The last characters, eight or more; usually twelve.
    public let tail: String
    /// The underscores between them.
    private let middle: String

    /// Parses lower-case letters and digits, one or more underscores, and lower-case letters and digits; `nil` for anything
    /// else, or if either end has fewer than eight characters.
    public init?(parsing text: String) {
        let characters = Array(text.utf8)
        let underscore = UInt8(ascii: "_")
        guard let start = characters.firstIndex(of: underscore), let last = characters.lastIndex(of: underscore) else {
            return nil
        }
        let (head, middle, tail) = (characters[..<start], characters[start...last], characters[(last + 1)...])
        guard head.count >= Self.leastVisible, tail.count >= Self.leastVisible,
            middle.allSatisfy({ $0 == underscore }),
            (head + tail).allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
        else { return nil }
        self.head = String(decoding: head, as: UTF8.self)
        self.tail = String(decoding: tail, as: UTF8.self)
        self.middle = String(decoding: middle, as: UTF8.self)
    }

    /// Whether an address has these ends.
    public func matches(_ address: Address) -> Bool {
        let text = address.description
        return text.hasPrefix(head) && text.hasSuffix(tail)
    }

    /// Whether it has the protocol's form: twelve characters, three underscores, twelve characters.
    var isUsual: Bool {
        head.utf8.count == Self.usualVisible && tail.utf8.count == Self.usualVisible && middle == "___"
    }

    /// The characters with the underscores between them.
    public var description: String { head + middle + tail }
}
