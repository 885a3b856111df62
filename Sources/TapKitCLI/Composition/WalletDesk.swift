import Bitcoin
import ChainData
import TapManager

/// A stored wallet as verbs work with it: read, on a network, and brought up to date where a chain server is set.
struct WalletDesk {
    let options: GlobalOptions
    let store: SQLiteStore
    /// The wallet, for the network that was asked for.
    let wallet: WatchWallet
    let stored: StoredWallet

    /// The wallet of a name, to receive, build, sign or export with it.
    /// - Throws: `Failure`: `.noSuchWallet`, `.wrongNetwork`, `.badDescriptor`, also for one that is not sound, and what the
    ///   store throws.
    static func open(_ name: String, _ options: GlobalOptions) throws(Failure) -> WalletDesk {
        let desk = try read(name, options)
        do throws(WalletError) { try desk.wallet.requireSound() } catch { throw Failure(error) }
        return desk
    }

    /// The wallet of a name, to look at it or to be rid of it: where it is not sound, that is said.
    /// - Throws: `Failure`: `.noSuchWallet`, `.wrongNetwork`, `.badDescriptor`, and what the store throws.
    static func openToLook(_ name: String, _ options: GlobalOptions) throws(Failure) -> WalletDesk {
        let desk = try read(name, options)
        do throws(WalletError) { try desk.wallet.requireSound() } catch {
            let failure = Failure(error)
            options.console.note("WARNING: \(failure.message) \(failure.hint)")
        }
        return desk
    }

    private static func read(_ name: String, _ options: GlobalOptions) throws(Failure) -> WalletDesk {
        guard let store = try options.existingStore() else { throw Failure(WalletError.noSuchWallet(name)) }
        let found: StoredWallet?
        do throws(StoreError) { found = try store.wallets().first { $0.name == name } } catch { throw Failure(error) }
        guard let found else { throw Failure(WalletError.noSuchWallet(name)) }
        return WalletDesk(options: options, store: store, wallet: try found.read(options), stored: found)
    }

    /// What a chain server said last, its spends proven; `nil` when none was asked yet.
    /// - Throws: `Failure`: what the store throws; `.chainLied` for what was stored before spends were proven.
    func known() throws(Failure) -> WalletChain? {
        let chain: WalletChain?
        do throws(StoreError) { chain = try store.chain(of: stored.name, on: wallet.network) } catch {
            throw Failure(error)
        }
        do throws(ChainError) { return try chain?.proven() } catch { throw Failure(error) }
    }

    /// What a chain server says now or, without one or with `--offline`, what one said last.
    /// - Throws: `Failure`: what the server's failures are; `.notSynchronized` when none was ever asked.
    func chain(_ offline: OfflineOptions, on source: (any ChainSource)? = nil) async throws(Failure) -> WalletChain {
        if !offline.offline {
            var server = source
            if server == nil { server = try options.chainSource(for: wallet.network) }
            if let server { return try await synchronize(server) }
        }
        guard let known = try known() else { throw Failure(WalletError.notSynchronized(wallet.name)) }
        return known
    }

    /// Asks a chain server, and keeps what it says.
    func synchronize(
        _ source: any ChainSource, gapLimit: Int = WalletSync.usualGapLimit
    ) async throws(Failure) -> WalletChain {
        let console = options.console
        let showsProgress = console.isErrorTerminal && !options.isJSON
        defer { if showsProgress { console.redraw("") } }
        let manager = try options.manager(over: store)
        do throws(WalletError) {
            return try await manager.synchronize(wallet, stored, with: source, gapLimit: gapLimit) { progress in
                guard showsProgress else { return }
                console.redraw("\(progress.addresses) addresses looked for, \(progress.used) used…")
            }
        } catch { throw Failure(error) }
    }

    /// When the answer is from, for people.
    static func age(of chain: WalletChain, now: UnixTime = .now()) -> String {
        "at height \(chain.height), says \(chain.server), \(TransactionLine.age(now.seconds - chain.time.seconds))"
    }
}

extension StoredWallet {
    /// The wallet, for the network that was asked for: test networks share their keys.
    /// - Throws: `Failure`: `.wrongNetwork`, `.badDescriptor`.
    func read(_ options: GlobalOptions) throws(Failure) -> WatchWallet {
        let network = try options.network() ?? self.network
        guard network.keyNetwork == self.network.keyNetwork else {
            let message = "The wallet “\(name)” is for \(self.network), not for \(network)."
            throw Failure(.wrongNetwork, message, hint: "Leave --network (and TAPKIT_NETWORK) out.")
        }
        do throws(WalletError) {
            return try WatchWallet(
                StoredWallet(name: name, network: network, descriptors: descriptors, created: created))
        } catch { throw Failure(error) }
    }
}
