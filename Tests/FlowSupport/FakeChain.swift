import Bitcoin
import ChainData
import Synchronization
import TestSupport
import Testing

/// A chain in memory, for what stands above the servers.
public final class FakeChain: ChainSource {
    private struct State {
        var transactions: [(id: TransactionID, transaction: Transaction, height: Int?)] = []
        var calls: [String: Int] = [:]
        var height = 200
        /// The height after the last block was next asked for.
        var growth: Int?
        /// What is put into histories to which it does not belong.
        var claims: [Script: [HistoryEntry]] = [:]
        /// Ids that no history names.
        var withheld: Set<TransactionID> = []
        /// What is given for transactions instead.
        var replaced: [TransactionID: Transaction] = [:]
        var disorder: Disorder = []
        var estimate: FeeRate?
        var rejection: ChainError?
        var sent: [TransactionID] = []

        /// Every script's history.
        var histories: [Script: [HistoryEntry]] {
            let outputs = Dictionary(
                transactions.flatMap { entry in
                    entry.transaction.outputs.enumerated().map {
                        (Outpoint(transactionID: entry.id, index: UInt32($0)), $1.scriptPubKey)
                    }
                }, uniquingKeysWith: { first, _ in first })
            var histories: [Script: [HistoryEntry]] = [:]
            for entry in transactions {
                let touched = Set(
                    entry.transaction.outputs.map(\.scriptPubKey)
                        + entry.transaction.inputs.compactMap { outputs[$0.outpoint] })
                for script in touched {
                    histories[script, default: []].append(
                        HistoryEntry(transactionID: entry.id, height: entry.height))
                }
            }
            histories.merge(claims) { $0 + $1 }
            return histories.mapValues { history in
                let told = history.filter { !withheld.contains($0.transactionID) }
                let repeated = disorder.contains(.repeating) ? told + told : told
                return disorder.contains(.reversed) ? repeated.reversed() : repeated
            }
        }
    }

    /// How histories are told otherwise than they should be.
    public struct Disorder: OptionSet, Sendable {
        /// The switches, one bit each.
        public let rawValue: Int

        /// Switches from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Every entry comes twice.
        public static let repeating = Disorder(rawValue: 1)
        /// The last comes first.
        public static let reversed = Disorder(rawValue: 2)
    }

    /// What the chain tells, for servers over it.
    public struct Telling: Sendable {
        /// By script.
        public let histories: [Script: [HistoryEntry]]
        /// What is given for each id.
        public let transactions: [TransactionID: Transaction]
        /// The last block's.
        public let height: Int
    }

    /// What is told now.
    public var telling: Telling {
        let state = state.withLock { $0 }
        let transactions = Dictionary(
            state.transactions.map { ($0.id, $0.transaction) }, uniquingKeysWith: { first, _ in first })
        return Telling(
            histories: state.histories, transactions: transactions.merging(state.replaced) { $1 }, height: state.height)
    }

    /// Gives something else for a transaction.
    public func replace(_ id: TransactionID, by other: Transaction) { state.withLock { $0.replaced[id] = other } }

    /// Tells histories otherwise than they should be.
    public func disorder(_ disorder: Disorder) { state.withLock { $0.disorder = disorder } }

    /// The server's name.
    public let name = "fake"
    /// Whose chain it is.
    public let network: Network
    /// What it can.
    public let features: Set<ChainFeature>
    private let state = Mutex(State())

    /// A chain without transactions.
    public init(_ network: Network = .regtest, features: Set<ChainFeature> = [.histories, .unconfirmed]) {
        self.network = network
        self.features = features
    }

    /// How often a method was called.
    public func calls(_ method: String) -> Int { state.withLock { $0.calls[method] ?? 0 } }

    /// What was sent, in order.
    public var sent: [TransactionID] { state.withLock { $0.sent } }

    /// Expects transactions of this fee rate to be in the next blocks; `nil`: has no estimate.
    public func estimate(_ rate: FeeRate?) { state.withLock { $0.estimate = rate } }

    /// Takes no transaction any more; `nil`: any.
    public func reject(_ reason: ChainError?) { state.withLock { $0.rejection = reason } }

    /// Adds a transaction.
    public func add(_ transaction: Transaction, height: Int?) {
        let id = transaction.id
        state.withLock { $0.transactions.append((id, transaction, height)) }
    }

    /// Names a transaction in the history of a script that it does not touch.
    public func claim(_ id: TransactionID, for script: Script, height: Int?) {
        state.withLock {
            $0.claims[script, default: []].append(HistoryEntry(transactionID: id, height: height))
        }
    }

    /// Gets blocks up to this one after it was next asked for the last one.
    public func grow(to height: Int) { state.withLock { $0.growth = height } }

    /// Tells nothing of a transaction any more.
    public func withhold(_ id: TransactionID) { state.withLock { _ = $0.withheld.insert(id) } }

    /// A transaction of the chain.
    public func transaction(_ id: TransactionID) -> Transaction? {
        state.withLock { $0.transactions.first { $0.id == id }?.transaction }
    }

    /// Pays a script in an output of its own.
    @discardableResult
    public func pay(_ script: Script, _ amount: Int64, salt: UInt32, height: Int? = 100) throws -> Outpoint {
        let transaction = try SampleWallet.funding(script, amount: amount, salt: salt)
        add(transaction, height: height)
        return Outpoint(transactionID: transaction.id, index: 1)
    }

    private func count(_ method: String) -> State {
        state.withLock {
            $0.calls[method, default: 0] += 1
            return $0
        }
    }

    /// What `ChainSource` says.
    public func tip() async throws(ChainError) -> ChainTip {
        let told = ChainTip(height: count("tip").height)
        state.withLock { $0.height = $0.growth ?? $0.height }
        return told
    }

    /// What `ChainSource` says.
    public func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        let histories = count("histories").histories
        return scripts.map { histories[$0] ?? [] }
    }

    /// What `ChainSource` says.
    public func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        let all = count("unspent").transactions
        let spent = Set(all.flatMap { $0.transaction.inputs.map(\.outpoint) })
        return scripts.map { script in
            all.flatMap { entry in
                entry.transaction.outputs.enumerated().compactMap { index, output -> UnspentClaim? in
                    let outpoint = Outpoint(transactionID: entry.id, index: UInt32(index))
                    guard output.scriptPubKey == script, !spent.contains(outpoint), let amount = output.amount else {
                        return nil
                    }
                    return UnspentClaim(outpoint: outpoint, amount: amount, height: entry.height)
                }
            }
        }
    }

    /// What `ChainSource` says; without histories, only what waits, has an unspent output, or spends a coin that is
    /// unspent.
    public func heights(
        of sought: [SoughtTransaction]
    ) async throws(ChainError) -> [TransactionID: TransactionHeight] {
        let state = count("heights")
        let hasHistories = features.contains(.histories)
        let spent = Set(state.transactions.flatMap { $0.transaction.inputs.map(\.outpoint) })
        let mined = state.transactions.filter { $0.height != nil }
        let coins = Set(
            mined.flatMap { entry in
                entry.transaction.outputs.indices.map { Outpoint(transactionID: entry.id, index: UInt32($0)) }
            }
        ).subtracting(mined.flatMap { $0.transaction.inputs.map(\.outpoint) })
        var heights: [TransactionID: TransactionHeight] = [:]
        for wanted in sought {
            let found = state.transactions.first { $0.id == wanted.id && !state.withheld.contains($0.id) }
            let isSeen = (0..<wanted.outputCount).contains {
                !spent.contains(Outpoint(transactionID: wanted.id, index: UInt32($0)))
            }
            if let found, hasHistories || isSeen || found.height == nil {
                heights[wanted.id] = TransactionHeight(known: found.height)
            } else if hasHistories || wanted.coin.map(coins.contains) ?? false {
                heights[wanted.id] = .absent
            }
        }
        return heights
    }

    /// What `ChainSource` says.
    public func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        _ = count("transactions")
        let all = telling.transactions
        return Dictionary(ids.compactMap { id in all[id].map { (id, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// What `ChainSource` says.
    public func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? { count("feeRate").estimate }
    /// What `ChainSource` says.
    public func minimumFeeRate() async throws(ChainError) -> FeeRate { .relay }
    /// What `ChainSource` says.
    public func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID {
        if let rejection = count("broadcast").rejection { throw rejection }
        state.withLock { $0.sent.append(transaction.id) }
        return transaction.id
    }
    /// What `ChainSource` says.
    public func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool {
        _ = count("waitForChange")
        return false
    }
    /// What `ChainSource` says.
    public func beginTask() { _ = count("beginTask") }
    /// What `ChainSource` says.
    public func close() async { _ = count("close") }
}
