import Bitcoin
import ChainData

/// What chain servers report about wallets.
extension CardManager {
    /// Asks the wallet's chain server, stores its answer, and updates the stored transactions: those in a block become
    /// confirmed, those in conflict with one in a block become replaced, and payments that vanished from the chain are
    /// stored again. The interaction gets notices that the user should see; events report the progress.
    /// - Parameters:
    ///   - opened: the wallet, on the network whose server is asked.
    ///   - gapLimit: how many unused addresses in a row end a branch; `nil`: 20, as in BIP-44.
    /// - Throws: `ErrorCode.noChainServer`; why the store or the chain server failed, `ErrorCode.chainLied` for an
    ///   answer that cannot be true. The previous answer is kept then.
    public nonisolated func synchronize(_ opened: OpenedWallet, gapLimit: Int? = nil) async throws -> WalletChain {
        try await chain.during { servers in
            try await synchronize(
                opened, with: servers.required(.synchronize, on: opened.wallet.network), gapLimit: gapLimit)
        }
    }

    /// The same with a given server.
    nonisolated func synchronize(
        _ opened: OpenedWallet, with source: any ChainSource, gapLimit: Int? = nil
    ) async throws -> WalletChain {
        let (wallet, stored, hub) = (opened.wallet, opened.stored, hub)
        // An unreadable earlier answer is useless, and replaced.
        let known = (try? store.chain(of: stored.name, on: wallet.network)).flatMap { $0 }
        let gapLimit = gapLimit ?? WalletSync.usualGapLimit
        let signedPlaces: Set<WalletPlace>
        do throws(StoreError) {
            signedPlaces = try store.signedPlaces(of: wallet, beyond: gapLimit, after: known)
        } catch { throw WalletError.store(error) }
        let sync = WalletSync(wallet, source: source, gapLimit: gapLimit, signedPlaces: signedPlaces) {
            let searching = WalletEvent.searching(addresses: $0.addresses, used: $0.used, transactions: $0.transactions)
            hub.publish(.wallet(stored.name, searching))
        }
        let chain = try await sync.run(known: known, at: now)
        if let vanished = known.map({ Self.vanished(from: $0, in: chain) }), vanished > 0 {
            interaction.notice(.vanished(vanished, server: chain.server))
        }
        let sent: LocatedTransactions
        do { sent = try await unreported(by: chain, of: wallet, from: source) } catch let error as StoreError {
            throw WalletError.store(error)
        }
        do throws(StoreError) { try update(opened, from: known, by: chain, and: sent) } catch {
            throw WalletError.store(error)
        }
        return chain
    }

    /// Stores a server's answer, and updates the stored transactions.
    private nonisolated func update(
        _ opened: OpenedWallet, from known: WalletChain?, by chain: WalletChain, and sent: LocatedTransactions
    ) throws(StoreError) {
        try store.save(chain, of: opened.stored, at: now)
        if let known {
            for id in try store.restoreVanished(of: opened.wallet, from: known, by: chain, at: now) {
                interaction.notice(.restored(id))
            }
        }
        for id in try store.noteStandings(of: opened.wallet, from: known, by: chain, and: sent, at: now) {
            interaction.notice(.overtaken(id))
        }
    }

    /// The answer of the wallet's chain server now or, without one, the last known answer; `nil` if there is none.
    package nonisolated func currentChain(of opened: OpenedWallet) async throws -> WalletChain? {
        try await freshChain(of: opened) ?? lastChain(of: opened)
    }

    /// The answer of the wallet's chain server now; `nil` without one.
    nonisolated func freshChain(of opened: OpenedWallet) async throws -> WalletChain? {
        try await chain.during { servers in
            guard let source = try servers.source(on: opened.wallet.network) else { return nil }
            return try await synchronize(opened, with: source)
        }
    }

    /// The answer of the wallet's chain server now or, without one, the last known answer.
    /// - Throws: `WalletError`: `.notSynchronized` if there is none, ….
    package nonisolated func chain(of opened: OpenedWallet) async throws -> WalletChain {
        guard let chain = try await currentChain(of: opened) else {
            throw WalletError.notSynchronized(opened.stored.name)
        }
        return chain
    }

    /// A chain server's last answer about a wallet, its spends proven; `nil` if none was asked about this network yet.
    /// - Throws: why the store cannot be read; `ErrorCode.chainLied` for an answer that was stored before spends were
    ///   proven, and is false.
    public nonisolated func lastChain(of opened: OpenedWallet) throws -> WalletChain? {
        let chain: WalletChain?
        do throws(StoreError) { chain = try store.chain(of: opened.stored.name, on: opened.wallet.network) } catch {
            throw WalletError.store(error)
        }
        do throws(ChainError) { return try chain?.proven() } catch { throw WalletError.chain(error) }
    }

    /// Waits until the wallet's chain server has something new about the wallet's known and next addresses. If several
    /// tasks wait for one server at once, only one may get the news: wait once for each server.
    /// - Parameters:
    ///   - patience: if it is limited, the wait may end without news.
    ///   - gapLimit: how many unused addresses of each branch are watched; `nil`: 20.
    /// - Throws: `ErrorCode.noChainServer`; why the store or the chain server failed.
    public nonisolated func waitForChange(
        of opened: OpenedWallet, patience: Patience, gapLimit: Int? = nil
    ) async throws {
        try await chain.during { servers in
            try await waitForChange(
                of: opened, from: servers.required(.synchronize, on: opened.wallet.network), patience, gapLimit)
        }
    }

    private nonisolated func waitForChange(
        of opened: OpenedWallet, from source: any ChainSource, _ patience: Patience, _ gapLimit: Int?
    ) async throws {
        let known = try lastChain(of: opened)
        var scripts = known?.scripts.map(\.script) ?? []
        for branch in opened.wallet.branches {
            let next = known?.nextIndex(descriptor: branch.descriptor, branch: branch.number) ?? 0
            let count =
                branch.isRanged
                ? UInt32(clamping: min(gapLimit ?? WalletSync.usualGapLimit, WalletSync.maximumAddressCount)) : 1
            for index in next..<next + count { scripts.append(try opened.wallet.script(at: branch.place(index))) }
        }
        do throws(ChainError) {
            while try await !source.waitForChange(of: scripts, timeout: patience.limit ?? Self.longWait) {
                if patience.limit != nil { return }
            }
        } catch { throw WalletError.chain(error) }
    }

    /// One wait of many; its length does not matter.
    private static let longWait = Duration.seconds(86_400)

    /// How many transactions a server no longer reports that one reported before, deep in the chain.
    private static func vanished(from known: WalletChain, in chain: WalletChain) -> Int {
        guard known.hasHistory, chain.hasHistory else { return 0 }
        let told = Set(chain.transactions.map(\.id))
        return known.transactions.count { $0.isDeep(atHeight: known.height) && !told.contains($0.id) }
    }
}

extension Store {
    /// A chain server's last answer about a wallet, if it is for this network: other networks' answers do not concern
    /// these coins.
    package func chain(of wallet: String, on network: Network) throws(StoreError) -> WalletChain? {
        try chain(of: wallet).flatMap { $0.network == network ? $0 : nil }
    }
}
