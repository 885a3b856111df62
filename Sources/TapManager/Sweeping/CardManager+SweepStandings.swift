import Bitcoin
import ChainData

extension CardManager {
    /// Records which sweeps that were sent from here are confirmed: no wallet's synchronization finds those that pay
    /// elsewhere. What the server does not report, or cannot, changes nothing.
    /// - Parameters:
    ///   - slots: those whose addresses the server is asked about anyway.
    ///   - source: the server.
    nonisolated func noteSweeps(of slots: [SlotReport], from source: any ChainSource) async throws(StoreError) {
        guard source.features.contains(.histories) else { return }
        let scripts = Set(slots.compactMap { $0.address?.scriptPubKey })
        var sweeps: [(stored: StoredTransaction, whole: TransactionID, script: Script)] = []
        for summary in try store.transactions(limit: .max, offset: 0)
        where summary.sent != nil && summary.wallet == nil && summary.standing?.isSettled != true {
            guard let stored = try store.transaction(summary.id), stored.isSweep,
                let whole = SigningResult(stored.psbt, added: 0).transaction,
                let script = try? stored.psbt.spentOutput(ofInput: 0).scriptPubKey, scripts.contains(script)
            else { continue }
            sweeps.append((stored, whole.id, script))
        }
        guard !sweeps.isEmpty, let tip = try? await source.tip(),
            let histories = try? await source.histories(of: sweeps.map(\.script)), histories.count == sweeps.count
        else { return }
        var standings: [TransactionID: ChainStanding?] = [:]
        for (sweep, history) in zip(sweeps, histories) {
            let height = history.first { $0.transactionID == sweep.whole }?.height
            let standing = height.map { ChainStanding(height: $0, tip: tip.height) }
            if standing != sweep.stored.standing { standings.updateValue(standing, forKey: sweep.stored.id) }
        }
        try store.note(standings, at: now)
    }
}
