import Bitcoin
import ChainData

extension [WalletTransaction] {
    /// Transactions that can all be true together: no coin is spent twice in blocks; of unconfirmed transactions that
    /// spend the same coin, one stays, and nothing that depends on the others, so that no change counts twice.
    /// Confirmed ones first, by height, then by id.
    /// - Throws: `.liar` for conflicting transactions in blocks, and for outputs worth more money than there is.
    func consistent() throws(ChainError) -> [WalletTransaction] {
        var kept: [WalletTransaction] = []
        var spenders: [Outpoint: WalletTransaction] = [:]
        var excluded: Set<TransactionID> = []
        let sorted = sorted { ($0.height ?? .max, $0.id.description) < ($1.height ?? .max, $1.id.description) }
        for entry in sorted {
            guard Amount.sum(outputs: entry.transaction.outputs) != nil else {
                throw .liar("the transaction \(entry.id) pays more money than there is")
            }
            let coins = entry.transaction.isCoinbase ? [] : Set(entry.transaction.inputs.map(\.outpoint))
            if let rival = coins.lazy.compactMap({ spenders[$0] }).first {
                guard entry.height == nil else {
                    throw .liar("\(rival.id) and \(entry.id) are both in blocks and spend the same coin")
                }
                excluded.insert(entry.id)
                continue
            }
            for coin in coins { spenders[coin] = entry }
            kept.append(entry)
        }
        guard !excluded.isEmpty else { return kept }
        return kept.withoutDescendants(of: excluded)
    }

    /// Without unconfirmed transactions that spend outputs of these, and so on.
    private func withoutDescendants(of excluded: Set<TransactionID>) -> [WalletTransaction] {
        var children: [TransactionID: [TransactionID]] = [:]
        for entry in self where entry.height == nil {
            for parent in Set(entry.transaction.inputs.map(\.outpoint.transactionID)) {
                children[parent, default: []].append(entry.id)
            }
        }
        var gone = excluded
        var open = Array<TransactionID>(excluded)
        while let id = open.popLast() {
            for child in children[id] ?? [] where gone.insert(child).inserted { open.append(child) }
        }
        return filter { !gone.contains($0.id) }
    }
}
