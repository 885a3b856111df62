import Bitcoin

/// A card's PIN: 6–32 digits, in memory that is wiped. Checked before any card is asked, because a card counts a CVC of
/// wrong length as a wrong try.
///
/// Spec: protocol, first section and "Authentication".
public struct CVC: Sendable, CustomStringConvertible {
    /// How many digits a CVC has.
    public static let lengths = 6...32

    /// The longest CVC with which a probe is a proof to somebody who knows the CVC: each of its digits gives him a byte of the
    /// random bytes that the card signs. With 16 he lacks 128 bits of them, 2⁶⁴ steps of work while the card waits; with 32
    /// nothing.
    ///
    /// Spec: protocol, "Authentication" and "Who can forge what".
    public static let longestForProofs = 16

    /// Why something is no CVC. Says nothing of its content.
    public enum Problem: Sendable, Hashable {
        /// So many characters, which are too few or too many.
        case length(Int)
        /// A character that is no digit 0–9.
        case notADigit
    }

    /// The digits as ASCII.
    let digits: SecretBytes

    /// Checks and takes ASCII digits.
    /// - Throws: `TapError.invalidCVC`.
    public init(_ digits: SecretBytes) throws(TapError) {
        guard Self.lengths.contains(digits.count) else { throw .invalidCVC(.length(digits.count)) }
        let areDigits = digits.withBytes { $0.allSatisfy { (48...57).contains($0) } }
        guard areDigits else { throw .invalidCVC(.notADigit) }
        self.digits = digits
    }

    /// Checks and copies a text; wiping the text is the caller's duty.
    /// - Throws: `TapError.invalidCVC`.
    public init(_ text: some StringProtocol) throws(TapError) {
        try self.init(SecretBytes(Array(text.utf8)))
    }

    /// Whether a probe with this CVC is a proof even to somebody who knows it.
    public var isShortEnoughForProofs: Bool { digits.count <= Self.longestForProofs }

    /// Whether both are the same digits; takes the same time wherever they differ.
    public func isEqual(to other: CVC) -> Bool { digits.isEqual(to: other.digits) }

    /// Always the same text, whatever the digits.
    public var description: String { "<CVC>" }
}

extension CVC.Problem {
    var message: String {
        switch self {
        case .length(let count): "A CVC has 6 to 32 digits; this one has \(count)."
        case .notADigit: "A CVC has digits only."
        }
    }
}
