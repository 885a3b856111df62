import Bitcoin

/// Building transactions.
extension CardManager {
    /// How often another process may take coins while they are being selected.
    private static let mostAttempts = 20

    /// Builds a wallet's transaction and stores it. Until it is deleted, no other transaction of any process spends its
    /// coins.
    /// - Parameters:
    ///   - feeRate: what the order's fee choice amounts to.
    ///   - chain: the chain server's last answer about the wallet.
    ///   - generator: the source of randomness.
    /// - Throws: `CreationError`; nothing is stored then.
    package nonisolated func create(
        _ order: WalletOrder, at feeRate: FeeRate, from wallet: WatchWallet, _ chain: WalletChain,
        using generator: inout some RandomNumberGenerator
    ) throws(CreationError) -> StoredTransaction {
        for attempt in 1... {
            let builder = try builder(wallet, chain)
            let (_, psbt) = try builder.build(order, at: feeRate, using: &generator)
            do throws(StoreError) {
                return try store(
                    psbt, of: wallet, note: order.note, drains: order.drain != nil && order.payments.isEmpty,
                    replacing: nil)
            } catch {
                // Another process was faster: the next selection leaves out its coins.
                guard case .coinsTaken = error, attempt < Self.mostAttempts, order.coins == nil else {
                    throw .store(error)
                }
            }
        }
        throw .notSpendable
    }

    /// Builds a replacement that pays more for a wallet's stored transaction, and stores it. The old one is deleted,
    /// unless a chain server was given it.
    /// - Throws: if it cannot be built (`ErrorCode.cannotBump`, `ErrorCode.insufficientFunds`, …); nothing is stored
    ///   then.
    package nonisolated func bump(
        _ old: StoredTransaction, to feeRate: FeeRate, from opened: OpenedWallet, _ chain: WalletChain,
        using generator: inout some RandomNumberGenerator
    ) throws -> StoredTransaction {
        let wallet = opened.wallet
        try requireNoStoredDescendant(of: old)
        let builder = try builder(wallet, chain, except: old)
        let (_, psbt) = try builder.replacement(
            of: old.psbt, drains: old.drains, isDue: old.leftHere != nil, feeRate: feeRate, version: old.psbt.version,
            using: &generator)
        do throws(StoreError) {
            return try store(psbt, of: wallet, note: old.note, drains: old.drains, replacing: old.id)
        } catch { throw CreationError.store(error) }
    }

    /// The same for a sweep, which belongs to no wallet.
    /// - Throws: the same; `ErrorCode.cannotBump` for anything but a sweep.
    package nonisolated func bumpSweep(
        _ old: StoredTransaction, to feeRate: FeeRate, using generator: inout some RandomNumberGenerator
    ) throws -> StoredTransaction {
        guard old.isSweep else { throw CreationError.changeUnknown }
        try requireNoStoredDescendant(of: old)
        let lock = old.psbt.unsignedTransaction.lockTime
        // Nobody chose it: it is as high as a server said that the chain was.
        let isBelieved = old.network != .main || HeightEstimate.isReached(lock, on: .main, at: now)
        let (_, psbt) = try ReplacedPSBT(old.psbt).drain(
            feeRate: feeRate, lockTime: isBelieved ? lock : 0, extendedKeys: [], using: &generator)
        let transaction = StoredTransaction(
            psbt: psbt, network: old.network, note: old.note, created: now, updated: now, drains: true)
        do throws(StoreError) { try store.create(transaction, replacing: old.id) } catch {
            throw CreationError.store(error)
        }
        return transaction
    }

    private nonisolated func store(
        _ psbt: PSBT, of wallet: WatchWallet, note: String, drains: Bool, replacing replaced: TransactionID?
    ) throws(StoreError) -> StoredTransaction {
        let transaction = StoredTransaction(
            psbt: psbt, network: wallet.network, wallet: wallet.name, note: note, created: now, updated: now,
            drains: drains)
        try store.create(transaction, replacing: replaced)
        return transaction
    }

    /// Confirms that no stored transaction spends outputs of the one to replace: it would be evicted, too.
    private nonisolated func requireNoStoredDescendant(of old: StoredTransaction) throws(CreationError) {
        let ids = [old.id, SigningResult(old.psbt, added: 0).transaction?.id ?? old.id]
        let taken: [Outpoint: TransactionID]
        do throws(StoreError) { taken = try store.takenCoins() } catch { throw .store(error) }
        if let child = taken.first(where: { ids.contains($0.key.transactionID) }) { throw .hasDescendant(child.value) }
    }

    /// - Parameter replaced: a transaction whose coins are free.
    private nonisolated func builder(
        _ wallet: WatchWallet, _ chain: WalletChain, except replaced: StoredTransaction? = nil
    ) throws(CreationError) -> WalletBuilder {
        do throws(StoreError) {
            let free = Set(replaced?.psbt.unsignedTransaction.inputs.map(\.outpoint) ?? [])
            let taken = try store.takenCoins().filter { !free.contains($0.key) }
            let frozen = try store.frozenCoins()
            var scripts: Set<Script> = []
            for id in Set(taken.values) {
                guard let stored = try store.transaction(id), stored.wallet == wallet.name else { continue }
                scripts.formUnion(stored.psbt.unsignedTransaction.outputs.map(\.scriptPubKey))
            }
            return WalletBuilder(wallet, chain, taken: taken, frozen: frozen, usedScripts: scripts)
        } catch { throw .store(error) }
    }
}
