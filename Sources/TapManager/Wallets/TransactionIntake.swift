import Bitcoin
import ChainData

/// Fetches the transactions that histories list, a few at a time. Drops those that do not concern the wallet at once,
/// and keeps the others up to a limit.
struct TransactionIntake: Sendable {
    /// How many are fetched at once.
    private static let atOnce = 50

    private let source: any ChainSource
    private let limit: Int
    /// What concerns the wallet, and what was known before.
    private(set) var told: ToldTransactions
    /// What was known before. It stays, to see what others spend, and counts only once this server names it: what
    /// another one made up must not take the room.
    private let before: Set<TransactionID>
    /// The size in bytes of what the server named, and is kept.
    private var sizes: [TransactionID: Int] = [:]
    private var total = 0
    /// What touches the scripts examined so far.
    private var counted: Set<TransactionID> = []

    /// - Parameters:
    ///   - known: an earlier answer, whose transactions are not fetched again.
    ///   - limit: the most bytes to keep of what the server names.
    init(from source: any ChainSource, known: WalletChain?, limit: Int) {
        self.source = source
        self.limit = limit
        told = ToldTransactions(known)
        before = Set((known?.transactions ?? []).map(\.id))
    }

    /// Reads a server's histories of scripts: from each history, what touches its script; anything else is ignored.
    /// - Throws: the server's error; `.tooLarge`.
    mutating func touching(_ scripts: [Script], _ histories: [[HistoryEntry]]) async throws(ChainError)
        -> [[HistoryEntry]]
    {
        guard histories.count == scripts.count else {
            throw .malformed("the number of answers differs from the number of scripts")
        }
        let ids = Set(histories.joined().map(\.transactionID))
        let asked = Set(scripts)
        for id in ids { if let known = told[id] { try count(id, known) } }
        try await fetch(ids, paying: asked)
        var touched: [TransactionID: Set<Script>] = [:]
        for id in ids { touched[id] = told[id].map { told.touched(by: $0).intersection(asked) } }
        let own = zip(scripts, histories).map { script, history in
            history.filter { touched[$0.transactionID]?.contains(script) ?? false }
        }
        counted.formUnion(own.joined().map(\.transactionID))
        for id in ids where !counted.contains(id) { drop(id) }
        return own
    }

    private mutating func fetch(_ ids: Set<TransactionID>, paying scripts: Set<Script>) async throws(ChainError) {
        let missing = ids.filter { told[$0] == nil }.sorted { $0.description < $1.description }
        for start in stride(from: 0, to: missing.count, by: Self.atOnce) {
            let found = try await source.transactions(Array(missing[start..<min(start + Self.atOnce, missing.count)]))
            for (id, transaction) in found {
                guard
                    transaction.outputs.contains(where: { scripts.contains($0.scriptPubKey) })
                        || transaction.inputs.contains(where: {
                            ids.contains($0.outpoint.transactionID) || told[$0.outpoint.transactionID] != nil
                        })
                else { continue }
                try keep(id, transaction)
            }
        }
    }

    private mutating func keep(_ id: TransactionID, _ transaction: Transaction) throws(ChainError) {
        try count(id, transaction)
        told[id] = transaction
    }

    private mutating func count(_ id: TransactionID, _ transaction: Transaction) throws(ChainError) {
        guard sizes[id] == nil else { return }
        let size = transaction.serialized().count
        guard size <= limit - total else { throw .tooLarge(limit: limit, of: .wallet) }
        sizes[id] = size
        total += size
    }

    private mutating func drop(_ id: TransactionID) {
        if !before.contains(id) { told[id] = nil }
        total -= sizes.removeValue(forKey: id) ?? 0
    }

    /// Outputs of transactions that are not needed otherwise, if the server knows them.
    func outputs(_ outpoints: [Outpoint]) async throws(ChainError) -> [Outpoint: TransactionOutput] {
        let ids = Array(Set(outpoints.map(\.transactionID)))
        let wanted = Dictionary(grouping: outpoints, by: \.transactionID)
        var outputs: [Outpoint: TransactionOutput] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.atOnce) {
            let found = try await source.transactions(Array(ids[start..<min(start + Self.atOnce, ids.count)]))
            let here = ToldTransactions(found)
            for outpoint in found.keys.flatMap({ wanted[$0] ?? [] }) { outputs[outpoint] = here.output(outpoint) }
        }
        return outputs
    }
}
