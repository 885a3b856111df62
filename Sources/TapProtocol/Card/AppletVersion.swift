/// The version of a card's applet, such as 1.0.3.
///
/// Spec: protocol, first section; the maker's change log.
public struct AppletVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// First number.
    public let major: Int
    /// Second number.
    public let minor: Int
    /// Third number.
    public let patch: Int

    /// A version from its numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads three decimal numbers of one to three digits with points between them; `nil` for anything else.
    public init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            guard (1...3).contains(part.count), part.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return part.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// By first, then second, then third number.
    public static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// The numbers with points between them.
    public var description: String { "\(major).\(minor).\(patch)" }

    /// Whether the card nonce changes only together with an answer that carries the new one (since 1.0.0).
    var keepsNonceOnError: Bool { self >= Self(1, 0, 0) }

    /// Whether a SATSCARD's `check` signs the sealed slot's key too (since 1.0.0): before, nothing proves a seal.
    public var provesSeal: Bool { self >= Self(1, 0, 0) }
}
