import Bitcoin

extension Transaction {
    /// The most bytes that a transaction in a block can have.
    static let longest = 4_000_000

    /// Reads a transaction that a server sent for an id, and proves that it is the one.
    init(answer bytes: [UInt8], for id: TransactionID) throws(ChainError) {
        guard bytes.count <= Self.longest else { throw .tooLarge(limit: Self.longest, of: .transaction) }
        do { try self.init(serialized: bytes) } catch { throw .malformed("transaction \(id): \(error)") }
        guard self.id == id else { throw .liar("another transaction than \(id)") }
    }
}
