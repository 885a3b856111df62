import Bitcoin

/// A chain server's last answer about a wallet.
public struct WalletChain: Sendable, Hashable {
    /// A script that was searched for.
    package struct KnownScript: Sendable, Hashable {
        /// Where it comes from.
        package let place: WalletPlace
        /// The locking script.
        package let script: Script
        /// Whether a transaction pays to it; `false` beside the search: the next address is not chosen there.
        package let isUsed: Bool

        /// A script from its parts.
        package init(place: WalletPlace, script: Script, isUsed: Bool) {
            self.place = place
            self.script = script
            self.isUsed = isUsed
        }
    }

    /// The server's network.
    package let network: Network
    /// The server's name.
    package let server: String
    /// The chain's height at that time.
    package let height: Int
    /// When it was asked.
    package let time: UnixTime
    /// Whether the server also reports what was spent. Otherwise there is no history, and addresses that were used and
    /// emptied seem new.
    package let hasHistory: Bool
    /// Whether every transaction here that spends a coin of the wallet is proven to be allowed to. Answers from before
    /// this check are checked when they are used (`proven(_:)`).
    package let areSpendsProven: Bool
    /// Whether the server looked for transactions that wait for a block. Otherwise nobody knows whether any does.
    package let knowsUnconfirmed: Bool
    /// Every script up to the last used one of each branch, by place; then the places beside the search.
    package let scripts: [KnownScript]
    /// Every transaction that the server reported.
    package let transactions: [WalletTransaction]
    /// The unspent coins.
    package let coins: [WalletCoin]

    /// An answer from its parts.
    package init(
        network: Network, server: String, height: Int, time: UnixTime, hasHistory: Bool,
        areSpendsProven: Bool = false, knowsUnconfirmed: Bool = true, scripts: [KnownScript],
        transactions: [WalletTransaction], coins: [WalletCoin]
    ) {
        self.network = network
        self.server = server
        self.height = height
        self.time = time
        self.hasHistory = hasHistory
        self.areSpendsProven = areSpendsProven
        self.knowsUnconfirmed = knowsUnconfirmed
        self.scripts = scripts
        self.transactions = transactions
        self.coins = coins
    }

    /// The sum of the unspent coins that are, or are not, confirmed; `nil` if it is more money than there is.
    package func balance(isConfirmed: Bool) -> Amount? {
        var sum = Amount.zero
        for coin in coins where (coin.height != nil) == isConfirmed {
            guard let amount = coin.amount, let next = sum.adding(amount) else { return nil }
            sum = next
        }
        return sum
    }

    /// How many addresses of a branch there are up to the last one that a new search finds. The search is given all
    /// these transactions, and ends after the usual number of unpaid addresses.
    ///
    /// `nextIndex` may be larger: what was used once stays used, and a wallet may have been searched further.
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

    /// How many addresses of a branch there are up to the last one paid by a transaction that spends a coin of the
    /// wallet: the wallet's keys signed those payments. All others are only the server's claim.
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

    /// How many addresses of a branch there are up to the last one that the wallet's own keys show to be in use: they signed a
    /// payment to it, or spent what it was paid.
    func shownCount(descriptor: Int, branch: Int) -> UInt32 {
        let told = ToldTransactions(self)
        let spent = Set(
            transactions.lazy.flatMap(\.transaction.inputs).compactMap { told.output($0.outpoint)?.scriptPubKey })
        let counts = scripts.lazy.filter {
            $0.place.descriptor == descriptor && $0.place.branch == branch && spent.contains($0.script)
        }.map { $0.place.index + 1 }
        return max(signedCount(descriptor: descriptor, branch: branch), counts.max() ?? 0)
    }

    /// The scripts in use, as far as that is more than the server's claim: in each branch those up to the last one that the
    /// wallet's own keys show to be in use. A server without histories shows only what is unspent, and all of that counts.
    var scriptsShownInUse: [KnownScript] {
        guard hasHistory else { return scripts.filter(\.isUsed) }
        var counts: [WalletPlace: UInt32] = [:]
        return scripts.filter { script in
            let branch = script.place.branchStart
            let count = counts[branch] ?? shownCount(descriptor: branch.descriptor, branch: branch.branch)
            counts[branch] = count
            return script.isUsed && script.place.index < count
        }
    }

    /// The largest index of an address that was ever paid, on any branch; `nil`: none was.
    private var lastUsedIndex: UInt32? {
        let indexes = [
            scripts.lazy.filter(\.isUsed).map(\.place.index).max(), coins.lazy.map(\.place.index).max(),
        ]
        return indexes.compactMap(\.self).max()
    }

    /// The gap limit with which any search reaches the last used address of every branch, whatever was paid before it.
    /// It follows from the indexes alone: a server can invent the payments between. It may be more than a search takes
    /// (`WalletSync.largestGapLimit`): then payments between have to lead there. `nil`: the usual one is enough.
    var neededGapLimit: Int? {
        guard let last = lastUsedIndex, last >= UInt32(WalletSync.usualGapLimit) else { return nil }
        return Int(last) + 1
    }

    /// How many addresses of each branch a program has to watch that does not search by itself: those up to the last
    /// used one of any branch, and after it as many unpaid ones as a search looks at before it ends.
    var watchedCount: Int {
        guard let last = lastUsedIndex else { return CoreExport.addressCounts.lowerBound }
        let gap = min(neededGapLimit ?? WalletSync.usualGapLimit, WalletSync.largestGapLimit)
        let counts = CoreExport.addressCounts
        return min(max(counts.lowerBound, Int(last) + 1 + gap), counts.upperBound)
    }

    /// The first index of a branch after every used one.
    package func nextIndex(descriptor: Int, branch: Int) -> UInt32 {
        scripts.lazy.filter { $0.isUsed && $0.place.descriptor == descriptor && $0.place.branch == branch }
            .map { $0.place.index + 1 }.max() ?? 0
    }
}
