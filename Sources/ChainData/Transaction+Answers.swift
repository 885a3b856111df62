import Bitcoin

extension Transaction {
    /// The largest possible transaction in a block, in bytes.
    static let longest = 4_000_000

    /// Reads a transaction that a server sent for an id, and verifies the id.
    init(answer bytes: [UInt8], for id: TransactionID) throws(ChainError) {
        guard bytes.count <= Self.longest else { throw .tooLarge(limit: Self.longest, of: .transaction) }
        do { try self.init(serialized: bytes) } catch { throw .malformed("transaction \(id): \(error)") }
        guard self.id == id else { throw .liar("it sent a different transaction for \(id)") }
    }
}
