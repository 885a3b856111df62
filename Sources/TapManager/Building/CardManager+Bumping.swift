import Bitcoin
import ChainData

/// Transactions that pay a higher fee in the place of others (BIP-125).
extension CardManager {
    /// Builds the transaction that takes the place of a stored one and pays more, and stores it, unsigned: the same payments, out
    /// of the change or, when that does not suffice, with further coins of the wallet; a sweep pays out of what it sends. The old one
    /// is deleted, unless it was sent.
    /// - Parameters:
    ///   - fee: more than the old one pays.
    ///   - network: the one that the wallet is used on; `nil`: the stored one.
    ///   - source: the chain server, on the network of the transaction; the caller closes it. `nil`: what one said of the wallet
    ///     last counts, and a rate must be given.
    /// - Throws: when it cannot be built (`ErrorCode.cannotBump`, `ErrorCode.insufficientFunds`, …); what opening and synchronizing a
    ///   wallet, and asking for a fee rate throw. Nothing is stored then.
    public nonisolated func bump(
        _ old: StoredTransaction, to fee: FeeChoice, network: Network? = nil, from source: (any ChainSource)?
    ) async throws -> StoredTransaction {
        var generator = SystemRandomNumberGenerator()
        guard let name = old.wallet else {
            guard old.isSweep else { throw CreationError.changeUnknown }
            return try bumpSweep(old, to: try await feeRate(fee, from: source), using: &generator)
        }
        let opened = try wallet(named: name, on: network)
        let chain = try await chain(of: opened, from: source)
        return try bump(old, to: try await feeRate(fee, from: source), from: opened, chain, using: &generator)
    }

    /// The network of a stored transaction: its wallet's, or else what is known of it.
    /// - Parameter asked: the one that was asked for; `nil`: any.
    /// - Throws: what opening a wallet throws.
    package nonisolated func network(of stored: StoredTransaction, asked: Network?) throws -> Network {
        guard let name = stored.wallet else { return stored.network(asked: asked) }
        return try wallet(named: name, on: asked).wallet.network
    }
}
