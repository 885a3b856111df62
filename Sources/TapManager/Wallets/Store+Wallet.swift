import Bitcoin

extension Store {
    /// The wallet that a stored transaction was made of, whichever file it comes in now; of any other, the one whose coins it spends.
    /// - Returns: `nil` when it is of none; also when the wallet was removed, or cannot be read: then all that it pays is shown
    ///   as payments.
    package func wallet(of psbt: PSBT) throws(StoreError) -> WatchWallet? {
        let stored = try transaction(psbt.unsignedTransaction.id)
        guard let name = stored?.wallet else {
            return stored?.drains == true ? nil : try wallet(spentBy: psbt, on: stored?.network)
        }
        return try wallets().first { $0.name == name }.flatMap { try? WatchWallet($0) }
    }
}
