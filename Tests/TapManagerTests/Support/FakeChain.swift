import Bitcoin
import ChainData
import Synchronization
import TestSupport
import Testing

/// A chain in memory, for what stands above the servers.
final class FakeChain: ChainSource {
    private struct State {
        var transactions: [(transaction: Transaction, height: Int?)] = []
        var calls: [String: Int] = [:]
        var height = 200
        /// What is put into histories to which it does not belong.
        var claims: [Script: [HistoryEntry]] = [:]
        /// Ids that no history names.
        var withheld: Set<TransactionID> = []
    }

    let name = "fake"
    let features: Set<ChainFeature>
    private let state = Mutex(State())

    init(features: Set<ChainFeature> = [.histories, .unconfirmed]) { self.features = features }

    /// How often a method was called.
    func calls(_ method: String) -> Int { state.withLock { $0.calls[method] ?? 0 } }

    /// Adds a transaction.
    func add(_ transaction: Transaction, height: Int?) {
        state.withLock { $0.transactions.append((transaction, height)) }
    }

    /// Names a transaction in the history of a script that it does not touch.
    func claim(_ id: TransactionID, for script: Script, height: Int?) {
        state.withLock {
            $0.claims[script, default: []].append(HistoryEntry(transactionID: id, height: height))
        }
    }

    /// Tells nothing of a transaction any more.
    func withhold(_ id: TransactionID) { state.withLock { _ = $0.withheld.insert(id) } }

    /// A transaction of the chain.
    func transaction(_ id: TransactionID) -> Transaction? {
        state.withLock { $0.transactions.first { $0.transaction.id == id }?.transaction }
    }

    /// Pays a script in an output of its own.
    @discardableResult
    func pay(_ script: Script, _ amount: Int64, salt: UInt32, height: Int? = 100) throws -> Outpoint {
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

    func tip() async throws(ChainError) -> ChainTip { ChainTip(height: count("tip").height) }

    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        let state = count("histories")
        let all = state.transactions
        let outputs = Dictionary(
            all.flatMap { entry in
                entry.transaction.outputs.enumerated().map {
                    (Outpoint(transactionID: entry.transaction.id, index: UInt32($0)), $1.scriptPubKey)
                }
            }, uniquingKeysWith: { first, _ in first })
        var histories: [Script: [HistoryEntry]] = [:]
        for entry in all {
            let touched = Set(
                entry.transaction.outputs.map(\.scriptPubKey)
                    + entry.transaction.inputs.compactMap { outputs[$0.outpoint] })
            for script in touched {
                histories[script, default: []].append(
                    HistoryEntry(transactionID: entry.transaction.id, height: entry.height))
            }
        }
        return scripts.map { script in
            ((histories[script] ?? []) + (state.claims[script] ?? [])).filter {
                !state.withheld.contains($0.transactionID)
            }
        }
    }

    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        let all = count("unspent").transactions
        let spent = Set(all.flatMap { $0.transaction.inputs.map(\.outpoint) })
        return scripts.map { script in
            all.flatMap { entry in
                entry.transaction.outputs.enumerated().compactMap { index, output -> UnspentClaim? in
                    let outpoint = Outpoint(transactionID: entry.transaction.id, index: UInt32(index))
                    guard output.scriptPubKey == script, !spent.contains(outpoint), let amount = output.amount else {
                        return nil
                    }
                    return UnspentClaim(outpoint: outpoint, amount: amount, height: entry.height)
                }
            }
        }
    }

    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        let all = count("transactions").transactions
        let wanted = Set(ids)
        return Dictionary(
            all.map { ($0.transaction.id, $0.transaction) }.filter { wanted.contains($0.0) },
            uniquingKeysWith: { first, _ in first })
    }

    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? { nil }
    func minimumFeeRate() async throws(ChainError) -> FeeRate { .relay }
    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID { transaction.id }
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool { false }
    func close() async {}
}
