/// How far the search for a wallet's transactions has come.
package struct SyncProgress: Sendable, Equatable {
    /// Addresses looked for.
    package let addresses: Int
    /// Addresses that are used.
    package let used: Int
    /// Transactions that are here.
    package let transactions: Int
}
