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

    /// Unconfirmed ones first, then from the newest block to the oldest.
    public let entries: [Entry]

    /// Interprets a server's answer. A transaction that does not concern the wallet, or claims more money than exists, is
    /// left out.
    public init(_ chain: WalletChain) {
        let own = Set(chain.scripts.map(\.script))
        let known = Dictionary(
            chain.transactions.map { ($0.id, $0.transaction) }, uniquingKeysWith: { first, _ in first })
        let entries = chain.transactions.compactMap { Entry($0, own: own, known: known) }
        self.entries = entries.sorted { left, right in
            (right.height ?? .max, left.id.description) < (left.height ?? .max, right.id.description)
        }
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
