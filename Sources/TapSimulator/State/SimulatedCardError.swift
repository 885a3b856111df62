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

    /// Whether the card's file, or what was asked of it, is at fault.
    public let kind: Kind
    /// What happened, in whole sentences. Holds no secret.
    public let message: String

    /// - Parameter message: whole sentences, without secrets.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message, which already is whole sentences.
    public var description: String { message }
}
