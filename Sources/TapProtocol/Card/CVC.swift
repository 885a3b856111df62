import Bitcoin

/// A card's PIN: 6–32 digits, in memory that is wiped. It is checked before it goes to a card, because a card counts a CVC of
/// the wrong length as a failed try.
///
/// Spec: protocol, first section and "Authentication".
public struct CVC: Sendable, CustomStringConvertible {
    /// How many digits a CVC has.
    public static let lengths = 6...32

    /// The longest CVC with which a probe is still a proof against someone who knows the CVC: each digit gives them one byte
    /// of the random bytes that the card signs. With 16 digits, 128 bits are still missing: 2⁶⁴ steps of work while the card
    /// waits. With 32 digits nothing is missing.
    ///
    /// Spec: protocol, "Authentication" and "Who can forge what".
    public static let longestForProofs = 16

    /// Why something is not a CVC. Reveals nothing of its content.
    public enum Problem: Sendable, Hashable {
        /// The number of digits, which are too few or too many.
        case length(Int)
        /// A character other than the digits 0–9, whatever the length.
        case notADigit
    }

    /// The digits as ASCII.
    let digits: SecretBytes

    /// Checks ASCII digits and takes them over.
    /// - Throws: `TapError.invalidCVC`.
    public init(_ digits: SecretBytes) throws(TapError) {
        let areDigits = digits.withBytes { $0.allSatisfy { (48...57).contains($0) } }
        guard areDigits else { throw .invalidCVC(.notADigit) }
        guard Self.lengths.contains(digits.count) else { throw .invalidCVC(.length(digits.count)) }
        self.digits = digits
    }

    /// Checks and copies a text; the caller must wipe the text.
    /// - Throws: `TapError.invalidCVC`.
    public init(_ text: some StringProtocol) throws(TapError) {
        try self.init(SecretBytes(Array(text.utf8)))
    }

    /// Whether a probe with this CVC is a proof even against someone who knows it.
    public var isShortEnoughForProofs: Bool { digits.count <= Self.longestForProofs }

    /// Whether both have the same digits; the time taken does not depend on where they differ.
    public func isEqual(to other: CVC) -> Bool { digits.isEqual(to: other.digits) }

    /// Always the same text, whatever the digits.
    public var description: String { "<CVC>" }
}

extension CVC.Problem {
    var message: String {
        switch self {
        case .length(let count): "A CVC has 6 to 32 digits; this one has \(count == 0 ? "none" : "\(count)")."
        case .notADigit: "A CVC has digits only, 6 to 32 of them."
        }
    }
}
