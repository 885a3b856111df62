import Bitcoin

/// Chain data from one server. Connects at first use, and then checks that the server is on the right network.
///
/// Answers are the server's claims. Only transactions are proven: they hash to the requested ids. Every method throws
/// `.cancelled` promptly when its task is cancelled, and retries after temporary failures.
public protocol ChainSource: Sendable {
    /// The server's name, as on the command line, without a password: `electrum:host:50002:s`.
    var name: String { get }

    /// The network of the chain. The server is checked to be on this network before any answer is used.
    var network: Network { get }

    /// The optional features of this source.
    var features: Set<ChainFeature> { get }

    /// The last block.
    func tip() async throws(ChainError) -> ChainTip

    /// Every transaction that pays each script or spends from it; in the order of the scripts, oldest blocks first,
    /// unconfirmed ones last. An unknown script has none.
    /// - Throws: `.unsupported` without the feature `.histories`.
    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]]

    /// The unspent outputs of each script, in the order of the scripts: claims, not proven.
    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]]

    /// When blocks were made, in seconds since 1970, by their heights: claims, by the miner's clock, which is hours off at worst.
    /// Only of blocks that histories or unspent outputs which were asked for named; what the server does not tell is left out.
    func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32]

    /// Which of these transactions are in the chain, and which of the others the server has. Claims, all of them. What
    /// the server cannot tell is left out: a server that only knows unspent outputs does not find a transaction whose
    /// outputs are all spent, nor one that another one in a block has replaced.
    func heights(of sought: [SoughtTransaction]) async throws(ChainError) -> [TransactionID: TransactionHeight]

    /// Transactions by their ids. Each is hashed and compared with the id, and at most 4 000 000 bytes long.
    /// - Throws: `.liar` for a transaction other than the one requested; `.serverError` when one is unknown.
    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction]

    /// The fee rate at which a transaction should confirm within this many blocks; `nil` when the server has no estimate. At
    /// least 1 sat/vB.
    /// - Parameter targetBlocks: 1…1008; others become the nearest of these.
    /// - Throws: `.liar` for more than 10 000 sat/vB.
    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate?

    /// The lowest fee rate at which the server relays transactions.
    /// - Throws: `.liar` for more than 1 000 sat/vB.
    func minimumFeeRate() async throws(ChainError) -> FeeRate

    /// Broadcasts a transaction. One that the network already knows counts as sent.
    /// - Returns: the transaction's own id.
    /// - Throws: `.rejected` with the server's reason.
    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID

    /// Waits until the tip or the history of one of the scripts changes, or the time is up.
    ///
    /// A change counts from the last call with the same script, so that nothing is missed between two calls; for a new script,
    /// from now. A call with no waiting time records the present state, and reports changes since the last call.
    /// - Returns: whether something changed.
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool

    /// Starts a new task. The count of bytes that the server may send starts anew, and what it proved about itself, such as its
    /// network, is checked again, unless that holds for as long as the connection does.
    func beginTask()

    /// Closes all connections. A later call connects again.
    func close() async
}

extension ChainSource {
    /// Does nothing, for sources that neither count bytes nor keep a server's answers.
    public func beginTask() {}

    /// As the histories of the transactions' scripts tell; nothing, for sources without the feature `.histories`.
    public func heights(
        of sought: [SoughtTransaction]
    ) async throws(ChainError) -> [TransactionID: TransactionHeight] {
        guard !sought.isEmpty, features.contains(.histories) else { return [:] }
        let scripts = Array(Set(sought.map(\.script)))
        let answers = try await histories(of: scripts)
        guard answers.count == scripts.count else {
            throw .malformed("the number of answers differs from the number of scripts")
        }
        let histories = Dictionary(zip(scripts, answers), uniquingKeysWith: { first, _ in first })
        var heights: [TransactionID: TransactionHeight] = [:]
        for transaction in sought {
            let entry = histories[transaction.script]?.first { $0.transactionID == transaction.id }
            if let entry {
                heights[transaction.id] = TransactionHeight(known: entry.height)
            } else {
                heights[transaction.id] = .absent
            }
        }
        return heights
    }

    /// None, for sources that do not tell.
    public func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32] { [:] }
}
