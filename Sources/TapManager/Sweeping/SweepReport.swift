/// The result of a sweep, interrupted or not.
public struct SweepReport: Sendable {
    /// Whether the transaction was sent.
    public enum Sending: Sendable {
        /// It was not requested, or there is nothing to send yet.
        case none
        /// A chain server of this name accepted it.
        case sent(server: String)
        /// It is signed, but no server confirmed that it took it, or the store could not be updated; why. A server whose
        /// answer was lost may have it.
        case failed(any Error)
    }

    /// How far it is signed. After an interruption, the same order continues it.
    public let signing: SigningReport
    /// Whether it was sent.
    public let sending: Sending
}
