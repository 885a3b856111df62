import Bitcoin

/// Sweeps that were stored and not sent.
extension CardManager {
    /// So many of the newest transactions are looked through.
    private static let newest = 100

    /// The stored sweeps of a SATSCARD's slots that no server took yet, newest first. The card is asked for its slots only when
    /// there is a sweep at all.
    /// - Returns: none for other cards.
    /// - Throws: `StoreError`, and what `slots(of:network:provingKeys:)` throws.
    package nonisolated func unsentSweeps(of card: CardAtHand) async throws -> [TransactionSummary] {
        guard card.status.product == .satscard else { return [] }
        let sweeps = try unsentSweeps()
        return sweeps.isEmpty ? [] : Self.summaries(of: sweeps, from: try await slots(of: card))
    }

    /// The stored sweeps of these slots that no server took yet, newest first.
    package nonisolated func unsentSweeps(of slots: [SlotReport]) throws(StoreError) -> [TransactionSummary] {
        Self.summaries(of: try unsentSweeps(), from: slots)
    }

    private nonisolated func unsentSweeps() throws(StoreError) -> [StoredTransaction] {
        var sweeps: [StoredTransaction] = []
        for summary in try store.transactions(limit: Self.newest, offset: 0)
        where summary.wallet == nil && summary.sent == nil {
            if let stored = try store.transaction(summary.id), stored.isSweep { sweeps.append(stored) }
        }
        return sweeps
    }

    private static func summaries(
        of sweeps: [StoredTransaction], from slots: [SlotReport]
    ) -> [TransactionSummary] {
        let own = Set(slots.compactMap { $0.address?.scriptPubKey })
        return sweeps.filter { sweep in
            sweep.psbt.inputs.indices.contains { index in
                (try? sweep.psbt.spentOutput(ofInput: index)).map { own.contains($0.scriptPubKey) } ?? false
            }
        }.map(\.summary)
    }
}
