import Bitcoin

extension ObservedStore {
    func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? { try kept.transaction(id) }

    func transactions(limit: Int, offset: Int) throws(StoreError) -> [TransactionSummary] {
        try kept.transactions(limit: limit, offset: offset)
    }

    func transactionCount() throws(StoreError) -> Int { try kept.transactionCount() }

    func transactionIDs(startingWith prefix: String) throws(StoreError) -> [TransactionID] {
        try kept.transactionIDs(startingWith: prefix)
    }

    func takenCoins() throws(StoreError) -> [Outpoint: TransactionID] { try kept.takenCoins() }

    func spenders() throws(StoreError) -> [Outpoint: Set<TransactionID>] { try kept.spenders() }

    func signaturesMadeHere(for id: TransactionID) throws(StoreError) -> [Int: [PartialSignature]] {
        try kept.signaturesMadeHere(for: id)
    }

    func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) throws(StoreError) {
        let before = try Dictionary(
            kept.transactions(limit: .max, offset: 0).map { ($0.id, $0.standing) },
            uniquingKeysWith: { first, _ in first })
        try kept.note(standings, at: time)
        for (id, standing) in standings.sorted(by: { $0.key.description < $1.key.description }) {
            guard let earlier = before[id] else { continue }
            guard let standing else {
                if earlier != nil { hub.publish(.transaction(id, .restored)) }
                continue
            }
            guard !standing.isSame(as: earlier) else { continue }
            hub.publish(.transaction(id, standing.replacedBy == nil ? .confirmed : .overtaken))
        }
    }

    func noteSeen(_ ids: Set<TransactionID>, at time: UnixTime) throws(StoreError) {
        try kept.noteSeen(ids, at: time)
    }

    func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction {
        var event = TransactionEvent.stored
        let changed = try kept.updateTransaction(id) { stored throws(StoreError) in
            let changed = try change(stored)
            event = stored.map { $0.sent == nil && changed.sent != nil ? .sent : .changed } ?? .stored
            return changed
        }
        hub.publish(.transaction(id, event))
        return changed
    }

    func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError) {
        try kept.add(signature, to: id, at: time)
        hub.publish(.transaction(id, .signed(input: signature.inputIndex, by: signature.signer)))
    }

    func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError) {
        try kept.create(transaction, replacing: replaced)
        // If a new one was sent before, it had been deleted.
        hub.publish(.transaction(transaction.id, transaction.sent == nil ? .stored : .restored))
        if let replaced { hub.publish(.transaction(replaced, .replaced(by: transaction.id))) }
    }

    func deleteTransaction(_ id: TransactionID) throws(StoreError) -> Bool {
        let isDeleted = try kept.deleteTransaction(id)
        if isDeleted { hub.publish(.transaction(id, .deleted)) }
        return isDeleted
    }
}
