import Bitcoin

/// What a chain server said about a wallet the last time it was asked.
public struct WalletChain: Sendable, Hashable {
    /// A script that was looked for.
    package struct KnownScript: Sendable, Hashable {
        /// Where it comes from.
        package let place: WalletPlace
        /// The locking script.
        package let script: Script
        /// Whether a transaction pays to it.
        package let isUsed: Bool

        /// A script from its parts.
        package init(place: WalletPlace, script: Script, isUsed: Bool) {
            self.place = place
            self.script = script
            self.isUsed = isUsed
        }
    }

    /// The network that the server was on.
    package let network: Network
    /// The server's name.
    package let server: String
    /// The height of the chain then.
    package let height: Int
    /// When it was asked.
    package let time: UnixTime
    /// Whether the server tells what was spent, too; one that does not knows no history, and addresses that were used
    /// and emptied seem new.
    package let hasHistory: Bool
    /// Whether every transaction here that spends a coin of the wallet's was proven to be allowed to; answers from before
    /// that was looked at are looked at when they are used (`proven(_:)`).
    package let areSpendsProven: Bool
    /// Every script up to the last used one of each branch, by place.
    package let scripts: [KnownScript]
    /// Every transaction that the server told of.
    package let transactions: [WalletTransaction]
    /// What is unspent.
    package let coins: [WalletCoin]

    /// An answer from its parts.
    package init(
        network: Network, server: String, height: Int, time: UnixTime, hasHistory: Bool,
        areSpendsProven: Bool = false, scripts: [KnownScript], transactions: [WalletTransaction], coins: [WalletCoin]
    ) {
        self.network = network
        self.server = server
        self.height = height
        self.time = time
        self.hasHistory = hasHistory
        self.areSpendsProven = areSpendsProven
        self.scripts = scripts
        self.transactions = transactions
        self.coins = coins
    }

    /// What is unspent, by whether it is confirmed; `nil` when the sum is more money than there is.
    package func balance(isConfirmed: Bool) -> Amount? {
        var sum = Amount.zero
        for coin in coins where (coin.height != nil) == isConfirmed {
            guard let amount = coin.amount, let next = sum.adding(amount) else { return nil }
            sum = next
        }
        return sum
    }

    /// How many addresses of a branch there are up to the last one that a search finds which begins anew, is told of all these
    /// transactions, and ends after the usual number of unpaid ones.
    ///
    /// `nextIndex` may be larger: what was used once stays used, and a wallet may have been looked through further.
    package func reachableCount(descriptor: Int, branch: Int) -> UInt32 {
        let paid = Set(transactions.lazy.flatMap { $0.transaction.outputs.map(\.scriptPubKey) })
        var count: UInt32 = 0
        for known in scripts.sorted(by: { $0.place < $1.place })
        where known.place.descriptor == descriptor && known.place.branch == branch && paid.contains(known.script) {
            guard known.place.index - count < UInt32(WalletSync.usualGapLimit) else { break }
            count = known.place.index + 1
        }
        return count
    }

    /// How many addresses of a branch there are up to the last one that is paid by a transaction which spends a coin of the
    /// wallet's: whose payments the wallet's keys signed. What else is said to be paid is the server's word.
    func signedCount(descriptor: Int, branch: Int) -> UInt32 {
        let own = Set(scripts.map(\.script))
        let told = ToldTransactions(self)
        let paid = Set(
            transactions.lazy.filter { entry in
                entry.transaction.inputs.contains { input in
                    told.output(input.outpoint).map { own.contains($0.scriptPubKey) } ?? false
                }
            }.flatMap { $0.transaction.outputs.map(\.scriptPubKey) })
        return scripts.lazy.filter {
            $0.place.descriptor == descriptor && $0.place.branch == branch && paid.contains($0.script)
        }.map { $0.place.index + 1 }.max() ?? 0
    }

    /// The first number of a branch behind every used one.
    package func nextIndex(descriptor: Int, branch: Int) -> UInt32 {
        scripts.lazy.filter { $0.isUsed && $0.place.descriptor == descriptor && $0.place.branch == branch }
            .map { $0.place.index + 1 }.max() ?? 0
    }
}
