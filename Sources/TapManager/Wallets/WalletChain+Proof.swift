import Bitcoin
import ChainData

extension WalletChain {
    /// The same answer, with each spend of the wallet's coins proven, without transactions that conflict with others,
    /// and without coins that the rest spends; unchanged if that was done already. A transaction that spends a taproot
    /// coin together with others' unknown coins cannot be proven here, and is left out.
    /// - Throws: `.liar`, with the transaction's id.
    package func proven() throws(ChainError) -> WalletChain {
        guard !areSpendsProven else { return self }
        var told = try transactions.consistent()
        let proof = SpendProof(of: Set(scripts.map(\.script)), in: ToldTransactions(self))
        told.removeAll { !proof.missing(for: $0.id, $0.transaction).isEmpty }
        for entry in told { try proof.verify(entry.id, entry.transaction) }
        let ids = Set(told.map(\.id))
        let spent = Set(told.lazy.flatMap { $0.transaction.inputs.map(\.outpoint) })
        let order = Dictionary(
            transactions.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        return WalletChain(
            network: network, server: server, height: height, time: time, hasHistory: hasHistory, areSpendsProven: true,
            knowsUnconfirmed: knowsUnconfirmed, scripts: scripts,
            transactions: told.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 },
            coins: coins.filter { ids.contains($0.outpoint.transactionID) && !spent.contains($0.outpoint) })
    }
}
