import Bitcoin

extension Store {
    /// The wallet that a stored transaction was made from, whichever file it comes from now; for others, the wallet
    /// whose coins it spends.
    /// - Returns: `nil` if there is none, or if the wallet was removed, cannot be read, or is not what was registered: then all
    ///   outputs are shown as payments.
    package func wallet(of psbt: PSBT) throws(StoreError) -> WatchWallet? {
        let stored = try transaction(psbt.unsignedTransaction.id)
        guard let name = stored?.wallet else {
            return stored?.drains == true ? nil : try wallet(spentBy: psbt, on: stored?.network)
        }
        return try wallets().first { $0.name == name }.flatMap(\.asRegistered)
    }
}
