import Bitcoin

extension ChainSource {
    /// The unspent outputs of each script, in the order of the scripts, with proven amounts and scripts.
    ///
    /// Fetches each coin's transaction, which must hash to the outpoint's id and have that output with that script and the
    /// claimed amount. Heights, and that the coins are unspent, remain the server's claims.
    /// - Throws: `.liar` when a claim contradicts its transaction, or lists a coin twice.
    public func coins(of scripts: [Script]) async throws(ChainError) -> [[ChainCoin]] {
        let claims = try await unspent(of: scripts)
        guard claims.count == scripts.count else {
            throw .malformed("the number of answers differs from the number of scripts")
        }
        var ids: Set<TransactionID> = []
        for list in claims { ids.formUnion(list.map(\.outpoint.transactionID)) }
        let parents = try await transactions(Array(ids))
        for (id, parent) in parents where parent.id != id { throw .liar("it sent a different transaction for \(id)") }
        var coins: [[ChainCoin]] = []
        for (script, list) in zip(scripts, claims) {
            var outpoints: Set<Outpoint> = []
            var proven: [ChainCoin] = []
            for claim in list {
                guard outpoints.insert(claim.outpoint).inserted else {
                    throw .liar("\(claim.outpoint) is listed twice")
                }
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
