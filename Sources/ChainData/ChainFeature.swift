/// Features that only some chain sources have.
public enum ChainFeature: Hashable, Sendable, CaseIterable {
    /// Lists every transaction of a script, including spent coins.
    case histories
    /// Sees unconfirmed transactions. If that depends on how many there are, it is said of the last answer about coins.
    case unconfirmed
    /// Is notified of changes; others are polled.
    case notifications
}
