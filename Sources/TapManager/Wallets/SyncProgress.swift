/// How far it has come.
public struct SyncProgress: Sendable, Equatable {
    /// Addresses looked for.
    public let addresses: Int
    /// Addresses that are used.
    public let used: Int
    /// Transactions that are here.
    public let transactions: Int
}
