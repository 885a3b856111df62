import Bitcoin

/// Transactions from outside.
extension CardManager {
    /// Stores a PSBT; if its transaction is stored already, the two are combined.
    ///
    /// An invalid signature would keep the transaction from ever being complete, so each one must be valid. If a signer
    /// removed the data about spent coins, the stored data is used. The transaction belongs to the wallet whose
    /// descriptors derive everything that it spends, if there is one.
    /// - Parameters:
    ///   - network: the one it is for; `nil`: unknown, or unchanged.
    ///   - note: the user's note; `nil`: unchanged.
    /// - Returns: the transaction, and whether it is new.
    /// - Throws: `PSBTError` if a signature is invalid, or the PSBT lacks what it signs; `StoreError`, with
    ///   `.contradiction` if it and the stored one cannot both be right. Nothing is changed then.
    public nonisolated func importTransaction(
        _ psbt: PSBT, network: Network? = nil, note: String? = nil
    ) throws -> (transaction: StoredTransaction, isNew: Bool) {
        // If it contradicts the stored one, storing it fails.
        let known =
            try store.transaction(psbt.unsignedTransaction.id).flatMap { try? $0.psbt.combined(with: psbt) } ?? psbt
        try psbt.requireValidSignatures(knowing: known)
        let stored = try store.transaction(psbt.unsignedTransaction.id)
        let found = try store.wallet(spentBy: known, on: network ?? stored?.network)
        return try store.merge(psbt, network: network, found: found, note: note, at: now)
    }
}

extension PSBT {
    /// - Parameter known: the same transaction, with more known about its coins.
    fileprivate func requireValidSignatures(knowing known: PSBT) throws(PSBTError) {
        let digests = SighashCache(unsignedTransaction)
        for index in inputs.indices {
            // Of two signatures by one key, the combined PSBT has only one.
            for psbt in [self, known] where psbt.hasCoin(ofInput: index) {
                try psbt.verifySignatures(ofInput: index, using: digests)
            }
            guard known.hasCoin(ofInput: index) || !inputs[index].hasSignatures else {
                _ = try known.spending(ofInput: index)
                continue
            }
        }
    }

    /// Whether it is known what an input spends, and by which script.
    private func hasCoin(ofInput index: Int) -> Bool { (try? spending(ofInput: index)) != nil }

    private func verifySignatures(ofInput index: Int, using digests: SighashCache) throws(PSBTError) {
        if inputs[index].isFinal {
            _ = try verifyFinalScripts(ofInput: index, using: digests)
        } else if !inputs[index].partialSignatures.isEmpty {
            try verifyPartialSignatures(ofInput: index, using: digests)
        }
    }
}

extension PSBT.Input {
    fileprivate var hasSignatures: Bool { isFinal || !partialSignatures.isEmpty }
}
