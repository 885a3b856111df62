import Bitcoin

/// Sweeps that are stored but not sent.
extension CardManager {
    /// How many of the newest transactions are searched.
    private static let newest = 100

    /// The stored sweeps of a SATSCARD's slots that were not sent yet, newest first. The card is asked for its slots
    /// only if there is any sweep.
    /// - Returns: empty for other cards.
    /// - Throws: `StoreError`, and what `slots(of:network:provingKeys:)` throws.
    package nonisolated func unsentSweeps(of card: CardAtHand) async throws -> [TransactionListing] {
        guard card.status.product == .satscard else { return [] }
        let sweeps = try unsentSweeps()
        return sweeps.isEmpty ? [] : try listings(of: sweeps, from: try await slots(of: card))
    }

    /// The stored sweeps of these slots that were not sent yet, newest first.
    package nonisolated func unsentSweeps(of slots: [SlotReport]) throws(StoreError) -> [TransactionListing] {
        try listings(of: try unsentSweeps(), from: slots)
    }

    private nonisolated func unsentSweeps() throws(StoreError) -> [StoredTransaction] {
        var sweeps: [StoredTransaction] = []
        for summary in try store.transactions(limit: Self.newest, offset: 0)
        where summary.wallet == nil && summary.state.isUnsent {
            if let stored = try store.transaction(summary.id), stored.isSweep { sweeps.append(stored) }
        }
        return sweeps
    }

    private nonisolated func listings(
        of sweeps: [StoredTransaction], from slots: [SlotReport]
    ) throws(StoreError) -> [TransactionListing] {
        let own = Set(slots.compactMap { $0.address?.scriptPubKey })
        let spending = sweeps.filter { sweep in
            sweep.psbt.inputs.indices.contains { index in
                (try? sweep.psbt.spentOutput(ofInput: index)).map { own.contains($0.scriptPubKey) } ?? false
            }
        }
        guard !spending.isEmpty else { return [] }
        let lister = try TransactionLister(store, network: nil)
        return spending.map { lister.listing($0.summary) }
    }
}

extension TransactionState {
    /// Whether no server accepted it, and nothing else spent its coins, as far as is known.
    fileprivate var isUnsent: Bool {
        switch self {
        case .unsigned, .partial, .complete: true
        case .sent, .confirmed, .replaced: false
        }
    }
}
