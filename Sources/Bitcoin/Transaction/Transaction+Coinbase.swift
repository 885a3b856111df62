extension Transaction {
    /// Whether this is a coinbase transaction, which pays a block's miner: its one input spends nothing.
    ///
    /// Spec: consensus, `CTransaction::IsCoinBase`.
    public var isCoinbase: Bool {
        guard inputs.count == 1, let outpoint = inputs.first?.outpoint else { return false }
        return outpoint.index == .max && outpoint.transactionID.bytes.allSatisfy { $0 == 0 }
    }
}
