import Bitcoin

/// Transactions that are built here.
extension CardManager {
    /// How often another process may take coins away while a choice is made.
    private static let mostAttempts = 20

    /// Builds a wallet's transaction and stores it. Its coins are not spent by the next one, in whichever process, until it
    /// is deleted.
    /// - Parameters:
    ///   - chain: what a chain server said about the wallet last.
    ///   - generator: where chance comes from.
    /// - Throws: `CreationError`; nothing is stored then.
    package nonisolated func create(
        _ order: WalletOrder, from wallet: WatchWallet, _ chain: WalletChain,
        using generator: inout some RandomNumberGenerator
    ) throws(CreationError) -> StoredTransaction {
        for attempt in 1... {
            let builder = try builder(wallet, chain)
            let (_, psbt) = try builder.build(order, using: &generator)
            do throws(StoreError) {
                return try store(
                    psbt, of: wallet, note: order.note, drains: order.drain != nil && order.payments.isEmpty,
                    replacing: nil)
            } catch {
                // Another process was faster: the next choice leaves its coins out.
                guard case .coinsTaken = error, attempt < Self.mostAttempts, order.coins == nil else {
                    throw .store(error)
                }
            }
        }
        throw .notSpendable
    }

    /// Builds the transaction that takes the place of a wallet's stored one and pays more, and stores it. The old one is deleted,
    /// unless it was sent.
    /// - Throws: when it cannot be built (`ErrorCode.cannotBump`, `ErrorCode.insufficientFunds`, …); nothing is stored then.
    package nonisolated func bump(
        _ old: StoredTransaction, to feeRate: FeeRate, from opened: OpenedWallet, _ chain: WalletChain,
        using generator: inout some RandomNumberGenerator
    ) throws -> StoredTransaction {
        let wallet = opened.wallet
        try requireNoStoredDescendant(of: old)
        let builder = try builder(wallet, chain, except: old)
        let (_, psbt) = try builder.replacement(
            of: old.psbt, drains: old.drains, feeRate: feeRate, version: old.psbt.version, using: &generator)
        do throws(StoreError) {
            return try store(psbt, of: wallet, note: old.note, drains: old.drains, replacing: old.id)
        } catch { throw CreationError.store(error) }
    }

    /// The same for a sweep, which is of no wallet.
    /// - Throws: the same; `ErrorCode.cannotBump` for anything but a sweep.
    package nonisolated func bumpSweep(
        _ old: StoredTransaction, to feeRate: FeeRate, using generator: inout some RandomNumberGenerator
    ) throws -> StoredTransaction {
        guard old.isSweep else { throw CreationError.changeUnknown }
        try requireNoStoredDescendant(of: old)
        let (_, psbt) = try ReplacedPSBT(old.psbt).drain(feeRate: feeRate, extendedKeys: [], using: &generator)
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

    /// Confirms that no stored transaction spends what one pays that is to be replaced: it would be thrown out with it.
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
