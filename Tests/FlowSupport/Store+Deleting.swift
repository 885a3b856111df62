import TapManager

extension Store {
    /// Deletes the wallet that has a name now.
    /// - Returns: whether there was one.
    package func deleteWallet(named name: String) throws(StoreError) -> Bool {
        guard let wallet = try wallets().first(where: { $0.name == name }) else { return false }
        try delete(wallet)
        return true
    }
}
