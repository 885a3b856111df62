import Bitcoin

/// What came of a sweep, interrupted or not.
public struct SweepReport: Sendable {
    /// Whether the transaction was sent.
    public enum Sending: Sendable {
        /// It was not asked for, or there is nothing to send yet.
        case none
        /// A chain server of this name took it.
        case sent(server: String)
        /// It is signed and stored, and was not sent, or the store could not be told: why.
        case failed(any Error)
    }

    /// How far it is signed. With an interruption, the same order goes on.
    public let signing: SigningReport
    /// Coins that stay where they are: each costs more than it is worth.
    package let leftBehind: [Outpoint]
    /// Whether it was sent.
    public let sending: Sending
}
