import Bitcoin

/// Copies of stored transactions in files.
extension CardManager {
    /// Whether the store has everything that is in a copy of a transaction, so that the copy may be replaced: the
    /// transaction itself, all signatures, and the finished scripts.
    package nonisolated func keeps(_ copy: PSBT) throws(StoreError) -> Bool {
        try store.transaction(copy.unsignedTransaction.id)?.keeps(copy) ?? false
    }

    /// The same of a sweep, which was made here.
    package nonisolated func keeps(sweep copy: PSBT) throws(StoreError) -> Bool {
        guard let kept = try store.transaction(copy.unsignedTransaction.id), kept.isSweep else { return false }
        return kept.keeps(copy)
    }
}

extension StoredTransaction {
    fileprivate func keeps(_ copy: PSBT) -> Bool {
        psbt.hasSignatures(of: copy) && (SignatureTally(psbt).isComplete || !copy.inputs.contains(where: \.isFinal))
    }
}
