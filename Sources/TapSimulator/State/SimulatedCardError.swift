/// What goes wrong with a simulated card itself, beside the errors that a card answers.
public struct SimulatedCardError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, CaseIterable {
        /// Options that do not go together, or values that no card has.
        case badOptions
        /// A file of this name is there already.
        case exists
        /// There is no such file.
        case notFound
        /// Another process uses the card.
        case inUse
        /// The file holds no card, or one that no card of this program could have become.
        case damaged
        /// The file cannot be read or written.
        case fileFailed
        /// The virtual reader or the socket cannot be served there.
        case badAddress
    }

    /// The kind of failure.
    public let kind: Kind
    /// What happened, in whole sentences. Holds no secret.
    public let message: String

    /// An error from its parts.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
