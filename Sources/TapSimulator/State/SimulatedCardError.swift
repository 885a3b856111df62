/// What goes wrong with a simulated card itself, beside the errors that a card answers.
public struct SimulatedCardError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// Options that do not go together, or values that no card has.
        case badOptions = "sim_bad_options"
        /// A file of this name is there already.
        case exists = "sim_file_exists"
        /// There is no such file.
        case notFound = "sim_file_not_found"
        /// Another process uses the card.
        case inUse = "sim_in_use"
        /// The file holds no card, or one that no card of this program could have become.
        case damaged = "sim_file_damaged"
        /// The file cannot be read or written.
        case fileFailed = "sim_file_failed"
        /// The virtual reader or the socket cannot be served there.
        case badAddress = "sim_bad_address"
    }

    /// The kind of failure.
    public let code: Code
    /// What happened. Holds no secret.
    public let message: String

    /// An error from its parts.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
