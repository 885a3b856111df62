extension Transaction {
    /// Whether it is the one by which a block pays its miner: one input that spends nothing.
    ///
    /// Spec: consensus, `CTransaction::IsCoinBase`.
    public var isCoinbase: Bool {
        guard inputs.count == 1, let outpoint = inputs.first?.outpoint else { return false }
        return outpoint.index == .max && outpoint.transactionID.bytes.allSatisfy { $0 == 0 }
    }
}
