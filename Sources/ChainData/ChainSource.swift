import Bitcoin

/// What the chain knows, from one server. Connects at first use, and checks then that the server is on the right network.
///
/// Answers are what the server says. Only transactions are proven: they hash to the ids asked for.
/// Every method throws `.cancelled` promptly when its task is cancelled, and repeats what may succeed a little later.
public protocol ChainSource: Sendable {
    /// The server's name as on the command line, without a password: `electrum:host:50002:s`.
    var name: String { get }

    /// Whose chain it tells of. The server is confirmed to be on this network before any of its answers counts.
    var network: Network { get }

    /// What this source can do beyond what all can.
    var features: Set<ChainFeature> { get }

    /// The last block.
    func tip() async throws(ChainError) -> ChainTip

    /// Every transaction that pays each script or spends from it; in the order of the scripts, oldest block first,
    /// unconfirmed ones last. An unknown script has none.
    /// - Throws: `.unsupported` without the feature `.histories`.
    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]]

    /// The unspent outputs of each script, in the order of the scripts: claims, not proven.
    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]]

    /// When blocks were made, in seconds since 1970, by their heights: claims, by the miner's clock, which is hours off at worst.
    /// Only of blocks that the histories which were asked for named; what the server does not tell is left out.
    func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32]

    /// Transactions by their ids. Each is hashed and compared with the id, and at most 4 000 000 bytes long.
    /// - Throws: `.liar` for another transaction than asked for; `.serverError` when one is not known.
    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction]

    /// The fee rate at which a transaction should be in a block within so many blocks; `nil` when the server has no
    /// estimate. At least 1 sat/vB.
    /// - Parameter targetBlocks: 1…1008; others are taken as the nearest of these.
    /// - Throws: `.liar` for more than 10 000 sat/vB.
    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate?

    /// The least fee rate at which the server passes transactions on.
    /// - Throws: `.liar` for more than 1 000 sat/vB.
    func minimumFeeRate() async throws(ChainError) -> FeeRate

    /// Sends a transaction to the network. One that is known there already is sent.
    /// - Returns: the transaction's own id.
    /// - Throws: `.rejected` with the server's reason.
    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID

    /// Waits until the history of one of the scripts or the tip changes, or time is up.
    ///
    /// A change counts from the last call with the same script, so that nothing is missed between two; for a new script,
    /// from now on. A call with no time to wait notes the present state, and tells what changed since the last call.
    /// - Returns: whether something changed.
    func waitForChange(of scripts: [Script], timeout: Duration) async throws(ChainError) -> Bool

    /// Says that what is asked from now on is for another task: what the server may send is counted anew, and what it proved
    /// about itself, such as its network, is confirmed again, unless that holds for as long as the connection does.
    func beginTask()

    /// Ends all connections. A later call connects again.
    func close() async
}

extension ChainSource {
    /// Nothing, for sources that neither count nor remember what a server said.
    public func beginTask() {}

    /// None, for sources that do not tell.
    public func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32] { [:] }
}
