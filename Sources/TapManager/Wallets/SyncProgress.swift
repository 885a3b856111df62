/// How far the search for a wallet's transactions has come.
package struct SyncProgress: Sendable, Equatable {
    /// How many addresses were searched.
    package let addresses: Int
    /// How many addresses are used.
    package let used: Int
    /// How many transactions were fetched.
    package let transactions: Int
}
