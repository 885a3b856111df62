import Bitcoin

/// Replacing transactions with ones that pay a higher fee (BIP-125).
extension CardManager {
    /// Builds a replacement that pays more for a stored transaction, and stores it, unsigned. It makes the same
    /// payments; the fee comes from the change or, if that is not enough, from further coins of the wallet. A sweep
    /// pays from what it sends. The old transaction is deleted, unless a chain server was given it, whatever that answered;
    /// then a block height that locked it is lowered to what the new one needs.
    /// - Parameters:
    ///   - fee: more than the old one pays.
    ///   - network: the one on which the wallet is used; `nil`: the stored one. Without a chain server for it, the last
    ///     known answer about the wallet counts, and a rate is required.
    /// - Throws: if it cannot be built (`ErrorCode.cannotBump`, `ErrorCode.insufficientFunds`, …);
    ///   `ErrorCode.alreadyConfirmed`, `ErrorCode.alreadyReplaced`; errors of opening and synchronizing a wallet, and
    ///   of asking for a fee rate. Nothing is stored then.
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
        let (chain, rate) = try await self.chain.during { _ in
            let chain = try await self.chain(of: opened)
            // The server may have reported it just now.
            try requireOpen(old)
            return (chain, try await feeRate(fee, on: opened.wallet.network))
        }
        let current = try store.transaction(old.id) ?? old
        return try bump(current, to: rate, from: opened, chain, using: &generator)
    }
}
