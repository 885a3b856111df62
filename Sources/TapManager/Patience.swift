/// How long to wait for what only a person's hand can do: a reader, a card, its return.
public enum Patience: Sendable, Equatable {
    /// Until the person interrupts.
    case unlimited
    /// So long each time.
    case limited(Duration)

    /// `nil`: no limit.
    package var limit: Duration? {
        switch self {
        case .unlimited: nil
        case .limited(let duration): duration
        }
    }
}
