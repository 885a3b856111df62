/// Why a socket cannot be made at a path.
package struct LocalSocketError: Error, Sendable, Equatable {
    /// The kind of failure.
    package enum Kind: Sendable {
        /// No socket can have this path.
        case badAddress
        /// A process listens there.
        case inUse
        /// Something other than a socket is there.
        case exists
        /// The system refuses.
        case failed
    }

    /// What is at fault.
    package let kind: Kind
    /// What happened, in complete sentences.
    package let message: String

    /// An error.
    package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}
