import Bitcoin

/// The question whether to delete a stored transaction.
public struct DeletionQuestion: Sendable, Equatable {
    /// The transaction.
    public let id: TransactionID
    /// What lists show about it; `nil` if it cannot be read.
    public let summary: TransactionSummary?
    /// The network that its amounts are shown for; main if it cannot be read.
    package let network: Network
    /// Why it cannot be read; `nil` if it can.
    public let fault: StoreError?
}
