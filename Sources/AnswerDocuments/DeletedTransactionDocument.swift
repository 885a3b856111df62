import Bitcoin

/// The answer to deleting a stored transaction.
package struct DeletedTransactionDocument: Encodable {
    let id: String
    /// False if somebody else deleted it in the meantime.
    let deleted: Bool

    /// A transaction that is not stored any more.
    package init(_ id: TransactionID, deleted: Bool) { (self.id, self.deleted) = (id.description, deleted) }
}
