import Bitcoin
import ChainData

/// Asks a chain server about a wallet.
///
/// A transaction counts only if it matches the id that the server gave and touches a script of the wallet, and spends
/// of the wallet's coins must be valid (`SpendProof`), with locks that have passed (`LockProof`). That it is in the
/// chain is the server's claim, refused only for a block after the last one; what a server withholds goes unnoticed.
/// Spec: threats, "The chain server".
package struct WalletSync: Sendable {
    /// How many unused addresses in a row end the search. Spec: BIP-44, "Address gap limit".
    package static let usualGapLimit = 20
    /// The most that people and programs can ask for instead.
    package static let largestGapLimit = 10_000
    /// The most bytes of transactions in a server's answer about one wallet, which is kept in the store.
    static let maximumTransactionBytes = 64_000_000
    /// The most addresses of one branch to search.
    static let maximumAddressCount = 1_000_000
    /// How many addresses of each branch to search with a server that does not report which are used.
    private static let blindCount = 1_000
    /// The most addresses to search in one round of a branch.
    private static let largestStep = 4_000

    private let wallet: WatchWallet
    private let source: any ChainSource
    private let gapLimit: Int
    private let signedPlaces: Set<WalletPlace>
    private let limit: Int
    private let progress: @Sendable (SyncProgress) -> Void

    /// - Parameters:
    ///   - gapLimit: how many unused addresses in a row end the search, at least 1.
    ///   - signedPlaces: what is asked about beside the search: `Store.signedPlaces(of:beyond:after:)`.
    ///   - limit: the most bytes of transactions to keep.
    package init(
        _ wallet: WatchWallet, source: any ChainSource, gapLimit: Int = usualGapLimit,
        signedPlaces: Set<WalletPlace> = [], limit: Int = maximumTransactionBytes,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) {
        self.wallet = wallet
        self.source = source
        self.gapLimit = max(1, gapLimit)
        self.signedPlaces = signedPlaces
        self.limit = limit
        self.progress = progress
    }

    /// Asks the server.
    /// - Parameter known: the last answer; its scripts are not derived and its transactions not fetched again.
    /// - Throws: `WalletError`: `.chain`, `.tooManyAddresses`, `.noAddress`.
    package func run(known: WalletChain?, at time: UnixTime) async throws(WalletError) -> WalletChain {
        let known = known.flatMap { $0.network == wallet.network ? $0 : nil }
        var tip: ChainTip
        do throws(ChainError) {
            tip = try await source.tip()
            try tip.requirePlausible(on: wallet.network, at: time)
        } catch { throw .chain(error) }
        guard source.features.contains(.histories) else { return try await runBlind(known: known, tip: tip, at: time) }
        let search = try await search(known: known)
        let undated = try await transactions(search, known: known)
        do throws(ChainError) {
            tip = try await source.lastBlock(including: undated.compactMap(\.height), after: tip, at: time)
            let locks = LockProof(of: undated, tip: tip.height, at: time)
            for entry in undated { try locks.verify(entry) }
        } catch { throw .chain(error) }
        let transactions = try await dated(undated, known: known, at: time)
        return WalletChain(
            network: wallet.network, server: source.name, height: tip.height, time: time, hasHistory: true,
            areSpendsProven: true, knowsUnconfirmed: source.features.contains(.unconfirmed), scripts: search.scripts,
            transactions: transactions, coins: Self.coins(transactions, search.scripts))
    }

    // MARK: Addresses

    /// Which scripts are used, and by which transactions.
    private struct Search {
        var intake: TransactionIntake
        /// Every script that was searched for.
        var asked: Set<Script> = []
        /// Those up to the last used one of each branch.
        var scripts: [WalletChain.KnownScript] = []
        /// By transaction: its height, or `nil` while unconfirmed.
        var heights: [TransactionID: Int?] = [:]
    }

    /// One branch while it is searched.
    private struct Row {
        let branch: WatchWallet.Branch
        var scripts: [Script] = []
        /// How many of the scripts were asked about.
        var asked = 0
        var used: Set<Int> = []

        /// How many scripts there are up to the last used one.
        var usedEnd: Int { used.max().map { $0 + 1 } ?? 0 }

        /// How many scripts must have been asked about.
        func wanted(_ gapLimit: Int, known: Int) -> Int {
            guard branch.isRanged else { return 1 }
            let needed = max(usedEnd, known) + gapLimit
            guard needed > asked, asked > 0 else { return max(needed, asked) }
            // Twice as many each time: a wallet with many addresses takes few rounds. But no further than so many used
            // ones can lead step by step: whatever is before the last used one is asked for ever after, so one payment,
            // real or invented, must not lead the search thousands of addresses on.
            let reach = max(gapLimit, usualGapLimit) * (used.count + 1)
            return max(needed, min(2 * asked, asked + largestStep, reach))
        }
    }

    private func search(known: WalletChain?) async throws(WalletError) -> Search {
        var search = Search(intake: TransactionIntake(from: source, known: known, limit: limit))
        var rows = wallet.branches.map { Row(branch: $0) }
        // Only those at the position that their index gives.
        let remembered = Dictionary(grouping: known?.scripts ?? []) { [$0.place.descriptor, $0.place.branch] }
            .mapValues { scripts in
                scripts.enumerated().prefix { $0.offset == Int($0.element.place.index) }.map(\.element)
            }
        let counts = wallet.branches.map { remembered[[$0.descriptor, $0.number]]?.count ?? 0 }
        for index in rows.indices {
            let branch = rows[index].branch
            rows[index].scripts = remembered[[branch.descriptor, branch.number]]?.map(\.script) ?? []
        }
        while true {
            var asked: [Script] = []
            for index in rows.indices {
                let wanted = rows[index].wanted(gapLimit, known: counts[index])
                guard wanted <= Self.maximumAddressCount else {
                    throw .tooManyAddresses(limit: Self.maximumAddressCount)
                }
                try derive(&rows[index], to: wanted)
                asked += rows[index].scripts[rows[index].asked..<max(wanted, rows[index].asked)]
            }
            if asked.isEmpty { break }
            search.asked.formUnion(asked)
            var histories: ArraySlice<[HistoryEntry]>
            do throws(ChainError) {
                // Whatever a server claims, what does not touch a script shows nothing about it.
                histories = try await search.intake.touching(asked, source.histories(of: asked))[...]
            } catch { throw .chain(error) }
            for index in rows.indices {
                let wanted = max(rows[index].wanted(gapLimit, known: counts[index]), rows[index].asked)
                for number in rows[index].asked..<min(wanted, rows[index].scripts.count) {
                    guard let history = histories.popFirst() else { break }
                    if !history.isEmpty { rows[index].used.insert(number) }
                    for entry in history { search.heights[entry.transactionID] = .some(entry.height) }
                }
            }
            for index in rows.indices { rows[index].asked = rows[index].scripts.count }
            progress(
                SyncProgress(
                    addresses: rows.reduce(0) { $0 + $1.asked }, used: rows.reduce(0) { $0 + $1.used.count },
                    transactions: 0))
        }
        let beside = try beside(rows.map(\.scripts.count))
        if !beside.isEmpty {
            let asked = beside.map(\.script)
            search.asked.formUnion(asked)
            do throws(ChainError) {
                for entry in try await search.intake.touching(asked, source.histories(of: asked)).joined() {
                    search.heights[entry.transactionID] = .some(entry.height)
                }
            } catch { throw .chain(error) }
        }
        // What was used once stays used, and is asked about again, whatever this server reports.
        let usedBefore = Set((known?.scripts ?? []).filter(\.isUsed).map(\.place))
        search.scripts = zip(rows, counts).flatMap { row, count -> [WalletChain.KnownScript] in
            row.scripts.prefix(max(count, row.usedEnd)).enumerated().map { number, script in
                let place = row.branch.place(UInt32(clamping: number))
                return WalletChain.KnownScript(
                    place: place, script: script, isUsed: row.used.contains(number) || usedBefore.contains(place))
            }
        }
        search.scripts += beside
        return search
    }

    /// The signed places that a search does not get to.
    /// - Parameter counts: how many addresses of each branch it gets to.
    private func beside(_ counts: [Int]) throws(WalletError) -> [WalletChain.KnownScript] {
        let reached = Dictionary(
            zip(wallet.branches.map { $0.place(0) }, counts), uniquingKeysWith: { first, _ in first })
        var beside: [WalletChain.KnownScript] = []
        for place in signedPlaces.sorted(by: { $0.index < $1.index })
        where reached[place.branchStart].map({ Int(place.index) >= $0 }) ?? false {
            // The next address must not be chosen beside it, where other wallets do not look.
            beside.append(.init(place: place, script: try wallet.script(at: place), isUsed: false))
        }
        return beside
    }

    private func derive(_ row: inout Row, to count: Int) throws(WalletError) {
        guard count > row.scripts.count else { return }
        row.scripts.reserveCapacity(count)
        for number in row.scripts.count..<count {
            row.scripts.append(try wallet.script(at: row.branch.place(UInt32(clamping: number))))
        }
    }

    // MARK: Transactions

    /// The transactions that do not conflict, with each spend of the wallet's coins proven.
    private func transactions(
        _ search: Search, known: WalletChain?
    ) async throws(WalletError) -> [WalletTransaction] {
        do throws(ChainError) {
            let transactions = try search.heights.compactMap { id, height in
                search.intake.told[id].map { WalletTransaction(transaction: $0, id: id, height: height) }
            }.consistent()
            let proof = SpendProof(of: search.asked, in: search.intake.told, known: known)
            for entry in transactions {
                let missing = proof.missing(for: entry.id, entry.transaction)
                let others = missing.isEmpty ? [:] : try await search.intake.outputs(missing)
                try proof.verify(entry.id, entry.transaction, others: others)
            }
            return transactions
        } catch { throw .chain(error) }
    }

    /// How many blocks' times to ask for in one run at most, the newest first.
    private static let datedCount = 500

    /// The same with the times of their blocks, if they are reported and plausible. If a server does not report them,
    /// everything else still counts.
    private func dated(
        _ transactions: [WalletTransaction], known: WalletChain?, at now: UnixTime
    ) async throws(WalletError) -> [WalletTransaction] {
        var before: [TransactionID: WalletTransaction] = [:]
        for entry in known?.transactions ?? [] where entry.time != nil { before[entry.id] = entry }
        func remembered(_ entry: WalletTransaction) -> UnixTime? {
            before[entry.id].flatMap { $0.height == entry.height ? $0.time : nil }
        }
        let heights = Set(transactions.filter { remembered($0) == nil }.compactMap(\.height))
        var times: [Int: UInt32] = [:]
        if !heights.isEmpty {
            do throws(ChainError) {
                times = try await source.blockTimes(of: Set(heights.sorted(by: >).prefix(Self.datedCount)))
            } catch {
                if case .cancelled = error { throw .chain(error) }
            }
        }
        return transactions.map { entry in
            let told = entry.height.flatMap { times[$0] }.map { UnixTime(seconds: Int64($0)) }
            return WalletTransaction(
                transaction: entry.transaction, id: entry.id, height: entry.height,
                time: remembered(entry) ?? told.flatMap { ChainTip.isPlausible($0, at: now) ? $0 : nil })
        }
    }

    /// Outputs to our scripts that none of these transactions spends.
    static func coins(_ transactions: [WalletTransaction], _ scripts: [WalletChain.KnownScript]) -> [WalletCoin] {
        let places = Dictionary(scripts.map { ($0.script, $0.place) }, uniquingKeysWith: { first, _ in first })
        let spent = Set(transactions.lazy.flatMap { $0.transaction.inputs.map(\.outpoint) })
        return transactions.flatMap { entry -> [WalletCoin] in
            entry.transaction.outputs.enumerated().compactMap { index, output -> WalletCoin? in
                let outpoint = Outpoint(transactionID: entry.id, index: UInt32(clamping: index))
                guard let place = places[output.scriptPubKey], !spent.contains(outpoint), output.amount != nil else {
                    return nil
                }
                return WalletCoin(
                    outpoint: outpoint, output: output, place: place, height: entry.height,
                    isCoinbase: entry.transaction.isCoinbase)
            }
        }
    }

    // MARK: Servers without histories

    /// Asks a server that only knows what is unspent.
    private func runBlind(
        known: WalletChain?, tip: ChainTip, at time: UnixTime
    ) async throws(WalletError) -> WalletChain {
        var places: [(place: WalletPlace, script: Script)] = []
        var counts: [Int] = []
        for branch in wallet.branches {
            let used = Int(known?.nextIndex(descriptor: branch.descriptor, branch: branch.number) ?? 0)
            let count = branch.isRanged ? max(Self.blindCount, used + gapLimit) : 1
            for number in 0..<count {
                let place = branch.place(UInt32(clamping: number))
                places.append((place, try wallet.script(at: place)))
            }
            counts.append(count)
        }
        let beside = try beside(counts)
        let found: [[ChainCoin]]
        let knowsUnconfirmed: Bool
        let last: ChainTip
        do throws(ChainError) {
            found = try await source.coins(of: places.map(\.script) + beside.map(\.script))
            // Now: a node looks only while not too many transactions wait.
            knowsUnconfirmed = source.features.contains(.unconfirmed)
            last = try await source.lastBlock(including: found.joined().compactMap(\.height), after: tip, at: time)
        } catch { throw .chain(error) }
        var coins: [WalletCoin] = []
        var transactions: [TransactionID: WalletTransaction] = [:]
        var used: Set<WalletPlace> = Set((known?.scripts ?? []).filter(\.isUsed).map(\.place))
        for (place, own) in zip(places.map(\.place) + beside.map(\.place), found) {
            for coin in own {
                coins.append(
                    WalletCoin(
                        outpoint: coin.outpoint, output: coin.output, place: place, height: coin.height,
                        isCoinbase: coin.isCoinbase))
                let id = coin.outpoint.transactionID
                transactions[id] = WalletTransaction(transaction: coin.transaction, id: id, height: coin.height)
            }
        }
        used.formUnion(zip(places, found).lazy.filter { !$1.isEmpty }.map(\.0.place))
        let ends = Dictionary(grouping: used) { [$0.descriptor, $0.branch] }.mapValues { $0.map(\.index).max() ?? 0 }
        let scripts = places.filter { place, _ in
            ends[[place.descriptor, place.branch]].map { place.index <= $0 } ?? false
        }
        let sorted = transactions.values.sorted { $0.id.description < $1.id.description }
        let answer = WalletChain(
            network: wallet.network, server: source.name, height: last.height, time: time, hasHistory: false,
            knowsUnconfirmed: knowsUnconfirmed || coins.contains { $0.height == nil },
            scripts: scripts.map { .init(place: $0.place, script: $0.script, isUsed: used.contains($0.place)) }
                + beside,
            transactions: try await dated(sorted, known: known, at: time), coins: coins)
        do throws(ChainError) { return try answer.proven() } catch { throw .chain(error) }
    }
}
