import Bitcoin

/// A SATSCARD slot's address as `status` shows it: twelve characters, three underscores, twelve characters. Only the
/// slot's key gives the middle. How many characters show is a form: eight at each end are enough.
///
/// Spec: protocol, "Commands" (`status`, `addr`).
public struct TrimmedAddress: Hashable, Sendable, CustomStringConvertible {
    /// Characters at each end, at the least: beside `bc1q` the first eight have twenty bits, the last eight forty.
    private static let leastVisible = 8
    /// How many characters show at each end as a rule.
    private static let usualVisible = 12

    /// The first characters, eight or more; twelve as a rule.
    public let head: String
    /// The last characters, eight or more; twelve as a rule.
    public let tail: String
    /// The underscores between them.
    private let middle: String

    /// Reads lower-case letters and digits, one underscore or more, lower-case letters and digits; `nil` for anything else,
    /// and when fewer than eight characters stand at an end.
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

    /// Whether it is written as the protocol has it: twelve characters, three underscores, twelve characters.
    var isUsual: Bool {
        head.utf8.count == Self.usualVisible && tail.utf8.count == Self.usualVisible && middle == "___"
    }

    /// The characters with the underscores between them.
    public var description: String { head + middle + tail }
}
