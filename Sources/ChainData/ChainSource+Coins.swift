import Bitcoin

extension ChainSource {
    /// The unspent outputs of each script, in the order of the scripts, with proven amounts and scripts.
    ///
    /// Fetches each coin's transaction; it hashes to the outpoint's id and has that output, with that script and the
    /// amount that was claimed. Heights, and that the coins are unspent, remain the server's word.
    /// - Throws: `.liar` when a claim contradicts its transaction, or names a coin twice.
    public func coins(of scripts: [Script]) async throws(ChainError) -> [[ChainCoin]] {
        let claims = try await unspent(of: scripts)
        guard claims.count == scripts.count else { throw .malformed("another number of answers than of scripts") }
        var ids: Set<TransactionID> = []
        for list in claims { ids.formUnion(list.map(\.outpoint.transactionID)) }
        let parents = try await transactions(Array(ids))
        for (id, parent) in parents where parent.id != id { throw .liar("another transaction than \(id)") }
        var coins: [[ChainCoin]] = []
        for (script, list) in zip(scripts, claims) {
            var outpoints: Set<Outpoint> = []
            var proven: [ChainCoin] = []
            for claim in list {
                guard outpoints.insert(claim.outpoint).inserted else { throw .liar("\(claim.outpoint) comes twice") }
                guard let parent = parents[claim.outpoint.transactionID] else {
                    throw .malformed("the transaction of \(claim.outpoint) is missing")
                }
                proven.append(try ChainCoin(proving: claim, script: script, byProven: parent))
            }
            coins.append(proven)
        }
        return coins
    }
}
