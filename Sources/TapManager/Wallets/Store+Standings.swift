import Bitcoin

extension Store {
    /// Records the state of stored transactions in the chain, from a server's answer about a wallet: those that are
    /// confirmed, those that conflict with a confirmed one, and those for which either is no longer true. Nothing is
    /// deleted, so an honest server's answer later corrects a lie.
    ///
    /// That a transaction is confirmed is only the server's claim. That one was replaced is accepted only for a coin
    /// that the wallet's keys are proven to have spent in another transaction.
    /// - Parameters:
    ///   - wallet: its name.
    ///   - known: the earlier answer about it; `nil`: none.
    ///   - chain: the new one.
    /// - Returns: those newly known to be no longer sendable, except those that were sent and replaced by another
    ///   stored one.
    package func noteStandings(
        of wallet: String, from known: WalletChain?, by chain: WalletChain, at time: UnixTime
    ) throws(StoreError) -> [TransactionID] {
        let spenders = try spenders()
        let found = chain.standings(among: spenders)
        var standings: [TransactionID: ChainStanding?] = found.mapValues { $0 }
        var overtaken: [TransactionID] = []
        // A server that reports only unspent outputs omits whatever was spent since.
        let before =
            chain.hasHistory ? known.map { $0.network == chain.network ? $0.standings(among: spenders) : [:] } : nil
        for summary in try transactions(limit: .max, offset: 0) {
            if let standing = found[summary.id] {
                if standing == summary.standing { standings[summary.id] = nil }
                guard let rival = standing.replacedBy, !standing.isSame(as: summary.standing) else { continue }
                if summary.sent == nil || !chain.isStored(rival, among: spenders) { overtaken.append(summary.id) }
            } else if summary.standing != nil, chain.hasHistory, summary.network ?? chain.network == chain.network,
                summary.wallet == wallet || before?[summary.id] != nil
            {
                standings.updateValue(nil, forKey: summary.id)
            }
        }
        try note(standings, at: time)
        return overtaken.sorted { $0.description < $1.description }
    }
}

extension WalletChain {
    /// The state of those stored transactions that spend the same coin as a confirmed one.
    /// - Parameter spenders: the coins that stored transactions spend.
    fileprivate func standings(among spenders: [Outpoint: Set<TransactionID>]) -> [TransactionID: ChainStanding] {
        let own = Set(scripts.map(\.script))
        let told = ToldTransactions(self)
        var standings: [TransactionID: ChainStanding] = [:]
        // If several conflict with one, the one in the lowest block is named.
        let sorted = transactions.sorted {
            ($0.height ?? .max, $0.id.description) < ($1.height ?? .max, $1.id.description)
        }
        for entry in sorted {
            guard let height = entry.height else { break }
            let coins = entry.transaction.inputs.map(\.outpoint).filter { spenders[$0] != nil }
            guard !coins.isEmpty else { continue }
            let id = entry.transaction.withoutSignatures.id
            for coin in coins {
                let isProven =
                    areSpendsProven && told.output(coin).map { own.contains($0.scriptPubKey) } ?? false
                for spender in spenders[coin] ?? [] {
                    if spender == id {
                        standings[spender] = ChainStanding(height: height, tip: self.height)
                    } else if isProven, standings[spender] == nil {
                        standings[spender] = ChainStanding(height: height, tip: self.height, replacedBy: entry.id)
                    }
                }
            }
        }
        return standings
    }

    /// Whether the store has a transaction that was reported here.
    fileprivate func isStored(_ id: TransactionID, among spenders: [Outpoint: Set<TransactionID>]) -> Bool {
        guard let transaction = transactions.first(where: { $0.id == id })?.transaction,
            let coin = transaction.inputs.first?.outpoint
        else { return false }
        return spenders[coin]?.contains(transaction.withoutSignatures.id) ?? false
    }
}
