import Bitcoin

/// Transactions that come from elsewhere.
extension CardManager {
    /// Stores a PSBT; one of a stored transaction is combined with it.
    ///
    /// A signature that is not valid would keep the transaction from ever being complete, so each one must be. What a signer
    /// stripped of the coins it spends is judged by what the store knows of them. It is of the wallet whose descriptors derive all
    /// that it spends, if there is one.
    /// - Parameters:
    ///   - network: the one it is for; `nil`: not known, or what is known stays.
    ///   - note: what the person wants to be reminded of; `nil`: what is known stays.
    /// - Returns: the transaction, and whether it is new.
    /// - Throws: `PSBTError` for one whose signatures are not valid, or that does not tell what they sign; `StoreError`, with
    ///   `.contradiction` where it and the stored one cannot both be right. Nothing is changed then.
    public nonisolated func importTransaction(
        _ psbt: PSBT, network: Network? = nil, note: String? = nil
    ) throws -> (transaction: StoredTransaction, isNew: Bool) {
        // What contradicts the stored one is refused when it is stored.
        let known =
            try store.transaction(psbt.unsignedTransaction.id).flatMap { try? $0.psbt.combined(with: psbt) } ?? psbt
        try psbt.requireValidSignatures(knowing: known)
        let stored = try store.transaction(psbt.unsignedTransaction.id)
        let found = try store.wallet(spentBy: known, on: network ?? stored?.network)
        return try store.merge(psbt, network: network, found: found, note: note, at: now)
    }
}

extension PSBT {
    /// - Parameter known: the same transaction with what is known of its coins besides.
    fileprivate func requireValidSignatures(knowing known: PSBT) throws(PSBTError) {
        let digests = SighashCache(unsignedTransaction)
        for index in inputs.indices {
            // Of two signatures by one key the combined PSBT has one only.
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
