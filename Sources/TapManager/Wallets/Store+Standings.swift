import Bitcoin

extension Store {
    /// Records the state of stored transactions in the chain, from a server's answer about a wallet: those that are
    /// confirmed, those that conflict with a confirmed one, and those for which either is no longer true. Nothing is
    /// deleted, so an honest server's answer later corrects a lie. What the server has counts as given to a server,
    /// even if it was not sent from here; what is only in no block does not.
    ///
    /// What is believed: see `StandingSearch`.
    /// - Parameters:
    ///   - known: the earlier answer about the wallet; `nil`: none.
    ///   - chain: the new one.
    ///   - sent: the wallet's transactions that the server was asked about one by one.
    /// - Returns: those newly known to be no longer sendable, except those that a chain server was given and
    ///   that another stored one replaced.
    package func noteStandings(
        of wallet: WatchWallet, from known: WalletChain?, by chain: WalletChain,
        and sent: LocatedTransactions = LocatedTransactions(), at time: UnixTime
    ) throws(StoreError) -> [TransactionID] {
        let spenders = try spenders()
        let found = standings(StandingSearch(chain, and: sent.known), of: wallet, among: spenders)
        // A server that reports only unspent outputs omits whatever was spent since.
        let before =
            chain.hasHistory
            ? known.map {
                $0.network == chain.network ? standings(StandingSearch($0), of: wallet, among: spenders) : [:]
            } : nil
        let reported = chain.transactions + sent.known
        var overtaken: [TransactionID] = []
        try note(found, Unmined(reported, absent: sent.absent), at: time) { summary in
            chain.hasHistory && summary.network ?? chain.network == chain.network
                && (summary.wallet == wallet.name || before?[summary.id] != nil)
        } overtaking: { summary, rival in
            if summary.leftHere == nil || !reported.isStored(rival, among: spenders) {
                overtaken.append(summary.id)
            }
        }
        return overtaken.sorted { $0.description < $1.description }
    }

    /// Records the state of sent transactions that belong to no wallet, and of those that conflict with them.
    /// - Parameters:
    ///   - sent: where a server says that they are.
    ///   - tip: the chain's height.
    ///   - own: the user's scripts, as far as they are known.
    func noteStandings(
        of sent: LocatedTransactions, tip: Int, own: Set<Script>, at time: UnixTime
    ) throws(StoreError) {
        let found = standings(StandingSearch(sent.known, tip: tip, own: own), of: nil, among: try spenders())
        try note(found, Unmined(sent.known, absent: sent.absent), at: time)
    }

    /// What became of stored transactions. If the server does not report what one of their coins is, the stored PSBTs
    /// do; those that cannot be read are left out.
    private func standings(
        _ search: StandingSearch, of wallet: WatchWallet?, among spenders: [Outpoint: Set<TransactionID>]
    ) -> [TransactionID: ChainStanding] {
        var search = search
        let coins = search.unknownCoins(among: spenders)
        for id in coins.reduce(into: Set<TransactionID>(), { $0.formUnion(spenders[$1] ?? []) }) {
            guard let stored = (try? transaction(id)) ?? nil else { continue }
            search.learn(coins, from: stored.psbt, of: wallet)
        }
        return search.standings(among: spenders)
    }

    /// - Parameters:
    ///   - unmined: what the server reports to be in no block.
    ///   - isMissed: whether the server would report a transaction that is neither found nor unmined, if it were in the
    ///     chain.
    ///   - overtaking: told of each that is newly replaced, and by which.
    private func note(
        _ found: [TransactionID: ChainStanding], _ unmined: Unmined, at time: UnixTime,
        isMissed: (TransactionSummary) -> Bool = { _ in false },
        overtaking: (TransactionSummary, TransactionID) -> Void = { _, _ in }
    ) throws(StoreError) {
        var standings: [TransactionID: ChainStanding?] = [:]
        var seen: Set<TransactionID> = []
        for summary in try transactions(limit: .max, offset: 0) {
            if unmined.isSeen(summary), summary.leftHere == nil { seen.insert(summary.id) }
            if let standing = found[summary.id] {
                if standing != summary.standing { standings.updateValue(standing, forKey: summary.id) }
                guard let rival = standing.replacedBy, !standing.isSame(as: summary.standing) else { continue }
                overtaking(summary, rival)
            } else if summary.standing != nil, unmined.deny(summary) || isMissed(summary) {
                standings.updateValue(nil, forKey: summary.id)
            }
        }
        if !seen.isEmpty { try noteSeen(seen, at: time) }
        try note(standings, at: time)
    }
}

/// Transactions that are in no block, according to a server.
private struct Unmined {
    /// All of them, by their ids with signatures.
    private let signed: Set<TransactionID>
    /// Those that the server has, by their ids without signatures.
    private let seen: Set<TransactionID>
    /// The others, likewise.
    private let absent: Set<TransactionID>

    /// - Parameters:
    ///   - known: what the server has; only what is in no block counts.
    ///   - absent: what it does not have.
    init(_ known: [WalletTransaction], absent: [WalletTransaction]) {
        let waiting = known.filter { $0.height == nil }
        signed = Set((waiting + absent).map(\.id))
        seen = Set(waiting.map(\.transaction.withoutSignatures.id))
        self.absent = Set(absent.map(\.transaction.withoutSignatures.id))
    }

    /// Whether the server has a stored transaction, signed.
    func isSeen(_ summary: TransactionSummary) -> Bool { seen.contains(summary.id) }

    /// Whether a stored transaction is in no block after all, or what replaced it is in none.
    func deny(_ summary: TransactionSummary) -> Bool {
        isSeen(summary) || absent.contains(summary.id)
            || summary.standing?.replacedBy.map(signed.contains) ?? false
    }
}

extension [WalletTransaction] {
    /// Whether the store has a transaction that was reported here.
    fileprivate func isStored(_ id: TransactionID, among spenders: [Outpoint: Set<TransactionID>]) -> Bool {
        guard let transaction = first(where: { $0.id == id })?.transaction,
            let coin = transaction.inputs.first?.outpoint
        else { return false }
        return spenders[coin]?.contains(transaction.withoutSignatures.id) ?? false
    }
}
