import Bitcoin

/// What a wallet received and spent, transaction by transaction.
public struct WalletHistory: Sendable {
    /// One transaction, from the wallet's point of view.
    public struct Entry: Sendable, Hashable {
        /// The transaction's id.
        public let id: TransactionID
        /// The height of its block; `nil` while unconfirmed.
        public let height: Int?
        /// What it pays to the wallet's addresses, change included.
        public let received: Amount
        /// What it spends of the wallet's money.
        public let spent: Amount
        /// Its fee; known if every input is the wallet's.
        public let fee: Amount?
        /// When its block was mined, according to the server; `nil` while unconfirmed, or if unknown.
        public let time: UnixTime?
        /// The payees: others, if it spends the wallet's coins; the wallet, if it does not, or nobody else is paid.
        /// Each script once, in the transaction's order.
        public let payees: [Script]
        /// Whether the payees are others: money left the wallet. False for receipts, and for payments to itself.
        public let paysOthers: Bool

        /// The change of the wallet's balance, in satoshis.
        package var net: Int64 { received.satoshis - spent.satoshis }
    }

    /// Unconfirmed ones first, then from the newest block to the oldest; within a block, whatever spends before what it
    /// spends.
    public let entries: [Entry]
    /// The wallet's balance after each entry, unconfirmed money included, in the order of the entries. `nil` if it is not
    /// known: the server does not report what was spent, or its transactions do not add up to the coins.
    package let balances: [Amount]?

    /// Interprets a server's answer. A transaction that does not concern the wallet, or claims more money than exists, is
    /// left out.
    public init(_ chain: WalletChain) {
        let own = Set(chain.scripts.map(\.script))
        let known = Dictionary(
            chain.transactions.map { ($0.id, $0.transaction) }, uniquingKeysWith: { first, _ in first })
        let generations = Self.generations(chain.transactions)
        func age(_ entry: Entry) -> (Int, Int) { (entry.height ?? .max, generations[entry.id] ?? 0) }
        entries = chain.transactions.compactMap { Entry($0, own: own, known: known) }.sorted { left, right in
            age(left) == age(right) ? left.id.description < right.id.description : age(left) > age(right)
        }
        balances = Self.balances(entries, chain)
    }

    /// How many transactions of the same block, or unconfirmed ones, stand in a row behind each that spends them.
    private static func generations(_ transactions: [WalletTransaction]) -> [TransactionID: Int] {
        let heights = Dictionary(transactions.map { ($0.id, $0.height) }, uniquingKeysWith: { first, _ in first })
        var spenders: [TransactionID: [TransactionID]] = [:]
        var parentCounts: [TransactionID: Int] = [:]
        for entry in transactions {
            let parents = Set(entry.transaction.inputs.map(\.outpoint.transactionID))
                .filter { heights[$0] == .some(entry.height) }
            parentCounts[entry.id] = parents.count
            for parent in parents { spenders[parent, default: []].append(entry.id) }
        }
        var generations: [TransactionID: Int] = [:]
        var ready = parentCounts.filter { $0.value == 0 }.map(\.key)
        while let parent = ready.popLast() {
            let next = (generations[parent] ?? 0) + 1
            for spender in spenders[parent] ?? [] {
                generations[spender] = max(generations[spender] ?? 0, next)
                let left = (parentCounts[spender] ?? 0) - 1
                parentCounts[spender] = left
                if left == 0 { ready.append(spender) }
            }
        }
        return generations
    }

    private static func balances(_ entries: [Entry], _ chain: WalletChain) -> [Amount]? {
        guard chain.hasHistory else { return nil }
        var balances: [Amount] = []
        var balance = Amount.zero
        for entry in entries.reversed() {
            guard let held = balance.adding(entry.received)?.subtracting(entry.spent) else { return nil }
            balance = held
            balances.append(held)
        }
        guard let confirmed = chain.balance(isConfirmed: true), let unconfirmed = chain.balance(isConfirmed: false),
            confirmed.adding(unconfirmed) == balance
        else { return nil }
        return balances.reversed()
    }
}

extension WalletChain {
    /// The number of confirmations of a transaction in the block at a height; 0 if it is in none.
    package func confirmations(at height: Int?) -> Int { height.map { max(0, self.height - $0 + 1) } ?? 0 }
}

extension WalletHistory.Entry {
    /// `nil` if the transaction does not concern the wallet, or claims more money than there is.
    fileprivate init?(_ entry: WalletTransaction, own: Set<Script>, known: [TransactionID: Transaction]) {
        let transaction = entry.transaction
        let outputs = transaction.outputs.filter { own.contains($0.scriptPubKey) }
        let coins = transaction.inputs.compactMap { input -> TransactionOutput? in
            guard let outputs = known[input.outpoint.transactionID]?.outputs,
                let index = Int(exactly: input.outpoint.index), outputs.indices.contains(index),
                own.contains(outputs[index].scriptPubKey)
            else { return nil }
            return outputs[index]
        }
        guard !outputs.isEmpty || !coins.isEmpty, let received = Amount.sum(outputs: outputs),
            let spent = Amount.sum(outputs: coins)
        else { return nil }
        id = entry.id
        height = entry.height
        time = entry.time
        let foreign = transaction.outputs.filter { !own.contains($0.scriptPubKey) }
        paysOthers = !coins.isEmpty && !foreign.isEmpty
        var seen: Set<Script> = []
        payees = (paysOthers ? foreign : outputs).map(\.scriptPubKey).filter { seen.insert($0).inserted }
        self.received = received
        self.spent = spent
        fee =
            coins.count == transaction.inputs.count
            ? Amount.sum(outputs: transaction.outputs).flatMap { spent.subtracting($0) } : nil
    }
}

extension Amount {
    /// The sum of outputs; `nil` if it is more money than there is.
    static func sum(outputs: [TransactionOutput]) -> Amount? {
        let amounts = outputs.compactMap(\.amount)
        return amounts.count == outputs.count ? sum(amounts) : nil
    }
}
