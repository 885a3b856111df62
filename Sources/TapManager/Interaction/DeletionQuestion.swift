import Bitcoin

/// The question whether to delete a stored transaction.
public struct DeletionQuestion: Sendable, Equatable {
    /// The transaction.
    public let id: TransactionID
    /// What lists show about it; `nil` if it cannot be read.
    public let summary: TransactionSummary?
    /// The network that its amounts are shown for; main if it cannot be read.
    package let network: Network
    /// What it spends and pays, as far as that is known without a card; `nil` if an amount is unknown, or if it cannot
    /// be read.
    package let review: TransactionReview?
    /// Why it cannot be read; `nil` if it can.
    public let fault: StoreError?

    /// Whether a chain server was given it, and may still pass it on.
    package var isUnderWay: Bool { summary.map { $0.leftHere != nil && $0.standing == nil } ?? false }
}
