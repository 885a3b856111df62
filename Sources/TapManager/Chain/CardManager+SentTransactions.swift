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
        do { try await follow([stored], at: source) } catch let error as ChainError {
            if case .cancelled = error { throw error }
            return (stored, error)
        }
        return (try store.transaction(stored.id) ?? stored, nil)
    }

    /// How many earlier payments are asked about at once.
    private static let mostFollowed = 10

    /// Asks the chain servers what became of earlier payments to these payees, before the user is asked whether to pay
    /// again: about the newest few that are not settled, of those that `followed(_:network:)` would ask about. What a
    /// server does not report, or cannot, changes nothing.
    /// - Parameters:
    ///   - own: the transaction that is to pay them; `nil`: none yet.
    ///   - asked: as for `followed(_:network:)`.
    /// - Returns: whether there were such payments.
    /// - Throws: why the store cannot be used; `ErrorCode.interrupted`.
    @discardableResult
    nonisolated func followPayments(
        to payees: Set<Script>, beside own: TransactionID? = nil, network asked: Network? = nil
    ) async throws -> Bool {
        let payments = try store.followedPayments(to: payees, beside: own, limit: Self.mostFollowed)
        let byNetwork = Dictionary(grouping: payments) { $0.network ?? $0.network(asked: asked) }
        for (network, sent) in byNetwork {
            do {
                try await chain.during { servers in
                    guard let source = try servers.source(on: network) else { return }
                    try await follow(sent, at: source)
                }
            } catch let error as StoreError {
                throw error
            } catch ChainError.cancelled {
                throw ChainError.cancelled
            } catch {
                // The user is asked about what no server tells.
            }
        }
        return !payments.isEmpty
    }

    /// The same for a transaction that is to be sent. Sweeps are meant to go where others went.
    nonisolated func followPayments(beside shown: StoredTransactionReview) async throws -> Bool {
        guard let review = shown.review, !shown.transaction.isSweep else { return false }
        return try await followPayments(to: review.payees, beside: shown.transaction.id, network: shown.network)
    }

    /// Asks a server about transactions and, for sweeps, about those that they replace or that replace them.
    private nonisolated func follow(_ stored: [StoredTransaction], at source: any ChainSource) async throws {
        var sent = stored
        let coins = Set(stored.filter(\.isSweep).flatMap { $0.psbt.unsignedTransaction.inputs.map(\.outpoint) })
        if !coins.isEmpty {
            let rivals = try store.spenders().filter { coins.contains($0.key) }.values.joined()
            for id in Set(rivals).subtracting(stored.map(\.id)) {
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
        tip = try await source.lastBlock(including: found.known.compactMap(\.height), after: tip, at: now)
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

    /// What became of a wallet's transactions, signed at least in part, that a server without histories does not report:
    /// they leave the wallet no unspent output. Also of those that were not sent from here, unless another stored one spends the same coin:
    /// whoever is asked about a transaction may say that it is in a block, and one that nobody has seen must not replace
    /// another one. Empty if the server cannot tell, or names a block after the last one.
    nonisolated func unreported(
        by chain: WalletChain, of wallet: WatchWallet, from source: any ChainSource
    ) async throws -> LocatedTransactions {
        guard !chain.hasHistory else { return LocatedTransactions() }
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
                including: found.known.compactMap(\.height), after: ChainTip(height: chain.height), at: now)
            return found
        } catch {
            if case .cancelled = error { throw WalletError.chain(error) }
            return LocatedTransactions()
        }
    }
}

extension StoredTransaction {
    /// Whether a chain server was given it, whatever that answered, and it belongs to no wallet whose synchronization
    /// would tell what became of it.
    fileprivate var isFollowed: Bool { leftHere != nil && wallet == nil }
}

extension Store {
    /// The newest payments to some payees that are not settled, that a chain server was given, and that belong to no
    /// wallet; without unreadable ones.
    /// - Parameter own: one that does not count.
    fileprivate func followedPayments(
        to payees: Set<Script>, beside own: TransactionID?, limit: Int
    ) throws(StoreError) -> [StoredTransaction] {
        var payments: [StoredTransaction] = []
        for summary in try transactions(limit: .max, offset: 0)
        where summary.id != own && summary.wallet == nil && summary.leftHere != nil && !summary.isSettled {
            guard payments.count < limit else { break }
            guard let stored = (try? transaction(summary.id)) ?? nil,
                !stored.psbt.unsignedTransaction.payments(to: payees).isEmpty
            else { continue }
            payments.append(stored)
        }
        return payments
    }

    /// The stored transactions that were or could be sent, also by others who complete them; without unreadable ones. Also
    /// those that are settled, as far as a server said: the next one may know better.
    /// - Parameter wallet: the name of the wallet that they belong to; `nil`: they belong to none.
    fileprivate func signedTransactions(
        of wallet: String?, on network: Network
    ) throws(StoreError) -> [StoredTransaction] {
        try transactions(limit: .max, offset: 0).filter { summary in
            summary.wallet == wallet && summary.network ?? network == network
        }.compactMap { summary -> StoredTransaction? in
            guard let stored = (try? transaction(summary.id)) ?? nil,
                summary.sent != nil || summary.isComplete || stored.psbt.isSigned
            else { return nil }
            return stored
        }
    }
}
