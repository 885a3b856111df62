import Bitcoin

/// A SATSCARD slot's address as `status` shows it: twelve characters, three underscores, twelve characters. Only the
/// slot's key gives the middle.
///
/// Spec: protocol, "Commands" (`status`, `addr`).
public struct TrimmedAddress: Hashable, Sendable, CustomStringConvertible {
    private static let visibleLength = 12
    private static let middle = "___"

    /// The first twelve characters.
    public let head: String
    /// The last twelve characters.
    public let tail: String

    /// Reads 27 characters: lower-case letters and digits with the underscores between them; `nil` for anything else.
    public init?(parsing text: String) {
        let characters = Array(text.utf8)
        guard characters.count == 2 * Self.visibleLength + Self.middle.utf8.count else { return nil }
        let head = characters.prefix(Self.visibleLength)
        let tail = characters.suffix(Self.visibleLength)
        let middle = characters[head.endIndex..<tail.startIndex]
        guard middle.elementsEqual(Self.middle.utf8),
            (head + tail).allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
        else { return nil }
        self.head = String(decoding: head, as: UTF8.self)
        self.tail = String(decoding: tail, as: UTF8.self)
    }

    /// Whether an address has these ends.
    public func matches(_ address: Address) -> Bool {
        let text = address.description
        return text.hasPrefix(head) && text.hasSuffix(tail)
    }

    /// The 27 characters.
    public var description: String { head + Self.middle + tail }
}
