/// A card's refusal of a command: `{error: text, code: int}`. The number is kept as received, even an unknown one; it
/// is 0 if the card sent none.
///
/// Spec: protocol, "Wire" and "Commands" (errors).
public struct CardError: Error, Hashable, Sendable {
    /// The refusals that the protocol names; the raw value is the card's number.
    public enum Kind: Int, Sendable, CaseIterable {
        /// The card hit a value it cannot use; the same command succeeds when repeated.
        case unluckyNumber = 205
        /// Arguments of the wrong type, length or range.
        case badArguments = 400
        /// Wrong CVC, or a broken ephemeral key.
        case badAuth = 401
        /// The command needs a CVC.
        case needsAuth = 403
        /// The card does not know the command.
        case unknownCommand = 404
        /// The command is not valid now and never will be.
        case invalidCommand = 405
        /// The card is in the wrong state for the command.
        case invalidState = 406
        /// Our nonce is too uniform.
        case weakNonce = 417
        /// The request is not CBOR that the card can read.
        case badCBOR = 422
        /// The CVC can be changed only after a first backup.
        case backupFirst = 425
        /// Too many wrong CVCs: the card requires `wait` commands first.
        case rateLimited = 429
    }

    /// The longest text that is kept, in characters.
    public static let maximumTextLength = 80

    /// The card's number, as received.
    public let number: Int
    /// The card's text: printable ASCII, at most 80 characters; anything else is replaced by `?`.
    public let text: String

    /// The named refusal; `nil` for a number that the protocol does not name.
    public var kind: Kind? { Kind(rawValue: number) }

    /// - Parameters:
    ///   - number: as received from the card, known or not.
    ///   - text: the card's own text, which is made safe to print.
    public init(number: Int, text: String) {
        self.number = number
        let printable = text.unicodeScalars.prefix(Self.maximumTextLength)
            .map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        self.text = String(printable)
    }
}
