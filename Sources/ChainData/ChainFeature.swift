/// What a chain source can do beyond what all can.
public enum ChainFeature: Hashable, Sendable, CaseIterable {
    /// Tells every transaction of a script, spent coins included.
    case histories
    /// Sees transactions that are in no block yet.
    case unconfirmed
    /// Hears of changes by itself; others are asked again and again.
    case notifications
}
