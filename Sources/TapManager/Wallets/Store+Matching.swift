import Bitcoin

extension Store {
    /// The wallet whose descriptors derive every script that a PSBT spends: the one that it spends from, whoever made it. What the
    /// PSBT claims says only where to look.
    /// - Parameter network: the one that the PSBT is for; `nil`: not known.
    /// - Returns: `nil` when there is none, when one of the coins is not known, and for a wallet that is not sound.
    func wallet(spentBy psbt: PSBT, on network: Network?) throws(StoreError) -> WatchWallet? {
        for stored in try wallets() where network.map({ $0.keyNetwork == stored.network.keyNetwork }) ?? true {
            guard let wallet = try? WatchWallet(stored), wallet.fault == nil else { continue }
            if wallet.isSpent(by: psbt) { return wallet }
        }
        return nil
    }
}

extension WatchWallet {
    /// Whether it derives every script that a PSBT spends. Only then its word on what comes back counts: whoever writes other
    /// descriptors under its name cannot have them derive the coins as well.
    func isSpent(by psbt: PSBT) -> Bool {
        !psbt.inputs.isEmpty
            && psbt.inputs.indices.allSatisfy { index in
                guard let coin = try? psbt.spentOutput(ofInput: index) else { return false }
                let fields = psbt.inputs[index]
                let paths = fields.derivations.map(\.path) + fields.taprootDerivations.map(\.path)
                // Keys of one script stand at few numbers: who claims more wants time wasted.
                guard Set(paths.map(\.steps.last)).count <= MultisigAccount.maximumKeyCount else { return false }
                return place(of: coin, paths) != nil
            }
    }
}

extension StoredTransaction {
    /// Notes the wallet that it spends from, where none is known yet. A sweep stays one.
    mutating func adopt(_ wallet: WatchWallet?) {
        guard self.wallet == nil, !drains, let wallet else { return }
        self.wallet = wallet.name
        network = network ?? wallet.network
    }
}
