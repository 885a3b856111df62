/// How long to wait for what only the user can do: attach a reader, put a card on it, put it back.
public enum Patience: Sendable, Equatable {
    /// Until the user interrupts.
    case unlimited
    /// This long each time.
    case limited(Duration)

    /// `nil`: no limit.
    package var limit: Duration? {
        switch self {
        case .unlimited: nil
        case .limited(let duration): duration
        }
    }
}
