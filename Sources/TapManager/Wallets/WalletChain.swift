import Bitcoin

/// What a chain server said about a wallet the last time it was asked.
public struct WalletChain: Sendable, Hashable {
    /// A script that was looked for.
    public struct KnownScript: Sendable, Hashable {
        /// Where it comes from.
        public let place: WalletPlace
        /// The locking script.
        public let script: Script
        /// Whether a transaction pays to it.
        public let isUsed: Bool

        /// A script from its parts.
        public init(place: WalletPlace, script: Script, isUsed: Bool) {
            self.place = place
            self.script = script
            self.isUsed = isUsed
        }
    }

    /// The network that the server was on.
    public let network: Network
    /// The server's name.
    public let server: String
    /// The height of the chain then.
    public let height: Int
    /// When it was asked.
    public let time: UnixTime
    /// Whether the server tells what was spent, too; one that does not knows no history, and addresses that were used
    /// and emptied seem new.
    public let hasHistory: Bool
    /// Every script up to the last used one of each branch, by place.
    public let scripts: [KnownScript]
    /// Every transaction that the server told of.
    public let transactions: [WalletTransaction]
    /// What is unspent.
    public let coins: [WalletCoin]

    /// An answer from its parts.
    public init(
        network: Network, server: String, height: Int, time: UnixTime, hasHistory: Bool, scripts: [KnownScript],
        transactions: [WalletTransaction], coins: [WalletCoin]
    ) {
        self.network = network
        self.server = server
        self.height = height
        self.time = time
        self.hasHistory = hasHistory
        self.scripts = scripts
        self.transactions = transactions
        self.coins = coins
    }

    /// What is unspent, by whether it is confirmed; `nil` when the sum is more money than there is.
    public func balance(isConfirmed: Bool) -> Amount? {
        var sum = Amount.zero
        for coin in coins where (coin.height != nil) == isConfirmed {
            guard let amount = coin.amount, let next = sum.adding(amount) else { return nil }
            sum = next
        }
        return sum
    }

    /// The first number of a branch behind every used one.
    public func nextIndex(descriptor: Int, branch: Int) -> UInt32 {
        scripts.lazy.filter { $0.isUsed && $0.place.descriptor == descriptor && $0.place.branch == branch }
            .map { $0.place.index + 1 }.max() ?? 0
    }
}
