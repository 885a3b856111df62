import Bitcoin

/// Transactions that pay a higher fee in the place of others (BIP-125).
extension CardManager {
    /// Builds the transaction that takes the place of a stored one and pays more, and stores it, unsigned: the same payments, out
    /// of the change or, when that does not suffice, with further coins of the wallet; a sweep pays out of what it sends. The old one
    /// is deleted, unless it was sent.
    /// - Parameters:
    ///   - fee: more than the old one pays.
    ///   - network: the one that the wallet is used on; `nil`: the stored one. Without a chain server for it, what one said of the
    ///     wallet last counts, and a rate must be given.
    /// - Throws: when it cannot be built (`ErrorCode.cannotBump`, `ErrorCode.insufficientFunds`, …); `ErrorCode.alreadyConfirmed`,
    ///   `ErrorCode.alreadyReplaced`; what opening and synchronizing a wallet, and asking for a fee rate throw. Nothing is stored
    ///   then.
    public nonisolated func bump(
        _ old: StoredTransaction, to fee: FeeChoice, network: Network? = nil
    ) async throws -> StoredTransaction {
        try requireOpen(old)
        var generator = SystemRandomNumberGenerator()
        guard let name = old.wallet else {
            guard old.isSweep else { throw CreationError.changeUnknown }
            let rate = try await feeRate(fee, on: old.network(asked: network))
            return try bumpSweep(old, to: rate, using: &generator)
        }
        let opened = try wallet(named: name, on: network)
        let chain = try await chain(of: opened)
        // The server may have told of it just now.
        try requireOpen(old)
        let rate = try await feeRate(fee, on: opened.wallet.network)
        return try bump(old, to: rate, from: opened, chain, using: &generator)
    }
}
