/// What goes wrong with a simulated card itself, as opposed to the errors that a card returns.
public struct SimulatedCardError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, CaseIterable {
        /// Options that exclude each other, or values that no card has.
        case badOptions
        /// A file with this name already exists.
        case exists
        /// There is no such file.
        case notFound
        /// Another process uses the card.
        case inUse
        /// The file contains no card, or one in an impossible state.
        case damaged
        /// The file is there, but cannot be opened or read.
        case unreadable
        /// The file cannot be written, or what the card is served through cannot be made.
        case fileFailed
        /// The virtual reader or the socket cannot be served there.
        case badAddress
    }

    /// Whether the card's file, or the request, is at fault.
    public let kind: Kind
    /// What happened, in complete sentences. Contains no secret.
    public let message: String

    /// - Parameter message: complete sentences, without secrets.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
