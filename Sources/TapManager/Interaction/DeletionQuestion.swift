import Bitcoin

/// The question whether a stored transaction is forgotten.
public struct DeletionQuestion: Sendable, Equatable {
    /// The transaction.
    public let id: TransactionID
    /// What lists show of it; `nil` when it cannot be read.
    public let summary: TransactionSummary?
    /// Why it cannot be read; `nil` when it can.
    public let fault: String?
}
