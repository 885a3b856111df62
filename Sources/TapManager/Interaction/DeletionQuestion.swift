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
    /// Whether it has a signature, whoever made it; false if it cannot be read.
    package internal(set) var isSigned = false
    /// Whether another transaction can be built in its place: it is a wallet's, or a sweep.
    package internal(set) var canBeBumped = false

    /// Whether a chain server was given it, and may still pass it on.
    package var isUnderWay: Bool { summary.map { $0.leftHere != nil && $0.standing == nil } ?? false }
    /// Whether no chain server was given it, but whoever has a copy can send it, as soon as it is complete.
    package var canBeSentByOthers: Bool {
        isSigned && summary.map { $0.leftHere == nil && $0.standing == nil } ?? false
    }
}
