import Bitcoin

extension Store {
    /// The wallet that a stored transaction was made of, whichever file it comes in now.
    /// - Returns: `nil` when it is of none; also when the wallet was removed, or cannot be read: then all that it pays is shown
    ///   as payments.
    package func wallet(of psbt: PSBT) throws(StoreError) -> WatchWallet? {
        guard let name = try transaction(psbt.unsignedTransaction.id)?.wallet else { return nil }
        return try wallets().first { $0.name == name }.flatMap { try? WatchWallet($0) }
    }
}
