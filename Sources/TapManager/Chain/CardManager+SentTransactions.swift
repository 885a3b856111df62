import Bitcoin
import ChainData

/// What became of transactions that a chain server was given and that belong to no wallet, so that no synchronization
/// reports them.
extension CardManager {
    /// Asks the chain server what became of a transaction, if one was given it, it belongs to no wallet, and there is a
    /// server. Then a sweep that was replaced is known as well.
    /// - Parameter asked: the network whose server to ask if the one that it was made for is unknown; `nil`: the one that
    ///   its keys' paths show, else bitcoin.
    /// - Returns: the transaction as it is stored now, and why the server could not be asked; `nil`: it was, or there
    ///   was nothing to ask.
    /// - Throws: why the store cannot be used; `ErrorCode.interrupted`.
    package nonisolated func followed(
        _ stored: StoredTransaction, network asked: Network? = nil
    ) async throws -> (transaction: StoredTransaction, fault: ChainError?) {
        guard stored.isFollowed else { return (stored, nil) }
        do {
            return try await chain.during { servers in
                guard let source = try servers.source(on: stored.network ?? stored.network(asked: asked)) else {
                    return (stored, nil)
                }
                return try await followed(stored, at: source)
            }
        } catch let error as ChainError {
            if case .cancelled = error { throw error }
            return (stored, error)
        }
    }

    /// As `followed(_:network:)`, from this server.
    nonisolated func followed(
        _ stored: StoredTransaction, at source: any ChainSource
    ) async throws -> (transaction: StoredTransaction, fault: ChainError?) {
        guard stored.isFollowed else { return (stored, nil) }
        do { try await follow(stored, at: source) } catch let error as ChainError {
            if case .cancelled = error { throw error }
            return (stored, error)
        }
        return (try store.transaction(stored.id) ?? stored, nil)
    }

    /// Asks a server about a transaction and, if it is a sweep, about those that it replaces or that replace it.
    private nonisolated func follow(_ stored: StoredTransaction, at source: any ChainSource) async throws {
        var sent = [stored]
        if stored.isSweep {
            let coins = Set(stored.psbt.unsignedTransaction.inputs.map(\.outpoint))
            let rivals = try store.spenders().filter { coins.contains($0.key) }.values.joined()
            for id in Set(rivals).subtracting([stored.id]) {
                if let rival = (try? store.transaction(id)) ?? nil, rival.isFollowed { sent.append(rival) }
            }
        }
        // What a sweep of this store spends is the user's.
        let own = sent.filter(\.isSweep).flatMap { sweep in
            sweep.psbt.inputs.indices.compactMap { try? sweep.psbt.spentOutput(ofInput: $0).scriptPubKey }
        }
        try await follow(sent, own: Set(own), at: source)
    }

    private nonisolated func follow(
        _ sent: [StoredTransaction], own: Set<Script>, at source: any ChainSource
    ) async throws {
        let found = try await source.located(sent)
        guard !found.isEmpty else { return }
        var tip = try await source.tip()
        try tip.requirePlausible(on: source.network, at: now)
        tip = try await source.lastBlock(including: found.compactMap(\.height), after: tip, at: now)
        try store.noteStandings(of: found, tip: tip.height, own: own, at: now)
    }

    /// Records what became of the sweeps of slots that a chain server was given from here, whatever it answered. What
    /// the server does not report, or cannot, changes nothing.
    /// - Parameters:
    ///   - slots: those whose addresses the server is asked about anyway.
    ///   - source: the server.
    nonisolated func noteSweeps(of slots: [SlotReport], from source: any ChainSource) async throws {
        let own = Set(slots.compactMap { $0.address?.scriptPubKey })
        let sweeps = try store.signedTransactions(of: nil, on: source.network).filter { sweep in
            sweep.isSweep && sweep.leftHere != nil
                && sweep.psbt.inputs.indices.contains { index in
                    (try? sweep.psbt.spentOutput(ofInput: index)).map { own.contains($0.scriptPubKey) } ?? false
                }
        }
        do { try await follow(sweeps, own: own, at: source) } catch let error as ChainError {
            if case .cancelled = error { throw error }
        }
    }

    /// What became of a wallet's signed transactions that a server without histories does not report: they leave the wallet
    /// no unspent output. Also of those that were not sent from here, unless another stored one spends the same coin:
    /// whoever is asked about a transaction may say that it is in a block, and one that nobody has seen must not replace
    /// another one. Empty if the server cannot tell, or names a block after the last one.
    nonisolated func unreported(
        by chain: WalletChain, of wallet: WatchWallet, from source: any ChainSource
    ) async throws -> [WalletTransaction] {
        guard !chain.hasHistory else { return [] }
        let told = Set(chain.transactions.map(\.transaction.withoutSignatures.id))
        let spenders = try store.spenders()
        let signed = try store.signedTransactions(of: wallet.name, on: chain.network).filter { stored in
            guard !told.contains(stored.id) else { return false }
            return stored.leftHere != nil
                || stored.psbt.unsignedTransaction.inputs.allSatisfy { spenders[$0.outpoint] == [stored.id] }
        }
        do throws(ChainError) {
            let found = try await source.located(signed)
            _ = try await source.lastBlock(
                including: found.compactMap(\.height), after: ChainTip(height: chain.height), at: now)
            return found
        } catch {
            if case .cancelled = error { throw WalletError.chain(error) }
            return []
        }
    }
}

extension StoredTransaction {
    /// Whether a chain server was given it, whatever that answered, and it belongs to no wallet whose synchronization
    /// would tell what became of it.
    fileprivate var isFollowed: Bool { leftHere != nil && wallet == nil }
}

extension Store {
    /// The stored transactions that were or could be sent; without unreadable ones. Also those that are settled, as far as
    /// a server said: the next one may know better.
    /// - Parameter wallet: the name of the wallet that they belong to; `nil`: they belong to none.
    fileprivate func signedTransactions(
        of wallet: String?, on network: Network
    ) throws(StoreError) -> [StoredTransaction] {
        try transactions(limit: .max, offset: 0).filter { summary in
            (summary.sent != nil || summary.isComplete) && summary.wallet == wallet
                && summary.network ?? network == network
        }.compactMap { (try? transaction($0.id)) ?? nil }
    }
}
