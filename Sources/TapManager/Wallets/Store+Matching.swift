import Bitcoin

extension Store {
    /// The wallet whose descriptors derive every script that a PSBT spends: the one it spends from, whoever made the
    /// PSBT. The PSBT's claims are only used to know where to look.
    /// - Parameter network: the PSBT's; `nil`: unknown.
    /// - Returns: `nil` if there is none, if one of the coins is unknown, or if the wallet is unsafe.
    func wallet(spentBy psbt: PSBT, on network: Network?) throws(StoreError) -> WatchWallet? {
        for stored in try wallets() where network.map({ $0.keyNetwork == stored.network.keyNetwork }) ?? true {
            guard let wallet = try? WatchWallet(stored), wallet.fault == nil else { continue }
            if wallet.isSpent(by: psbt) { return wallet }
        }
        return nil
    }
}

extension WatchWallet {
    /// Whether it derives every script that a PSBT spends. Only then does its claim about change count: someone who
    /// stores other descriptors under its name cannot make them derive the coins as well.
    func isSpent(by psbt: PSBT) -> Bool {
        !psbt.inputs.isEmpty && psbt.inputs.indices.allSatisfy { owns(input: $0, of: psbt) }
    }

    /// Whether it derives the script that an input of a PSBT spends.
    func owns(input index: Int, of psbt: PSBT) -> Bool {
        guard let coin = try? psbt.spentOutput(ofInput: index) else { return false }
        let fields = psbt.inputs[index]
        let paths = fields.derivations.map(\.path) + fields.taprootDerivations.map(\.path)
        // A script's keys share few indexes: more claims would only waste time.
        guard Set(paths.map(\.steps.last)).count <= MultisigAccount.maximumKeyCount else { return false }
        return place(of: coin, paths) != nil
    }
}

extension WatchWallet {
    /// The highest index at which an output of a PSBT counts as change: as far above those of its coins as wallets look. Whoever
    /// gets money paid to the wallet further out can demand a ransom for the index.
    ///
    /// Spec: threats, "The PSBT lies" (ransom by lost path).
    func lastIndexForChange(of psbt: PSBT) -> UInt32 {
        let spent = psbt.inputs.indices.compactMap { index -> UInt32? in
            guard let coin = try? psbt.spentOutput(ofInput: index) else { return nil }
            let fields = psbt.inputs[index]
            return place(of: coin, fields.derivations.map(\.path) + fields.taprootDerivations.map(\.path))?.index
        }
        let (last, isOver) = (spent.max() ?? 0).addingReportingOverflow(AddressReach.withoutHistory)
        return isOver ? .max : last
    }
}

extension StoredTransaction {
    /// Sets the wallet that it spends from, if none is set yet. A sweep stays a sweep.
    mutating func adopt(_ wallet: WatchWallet?) {
        guard self.wallet == nil, !drains, let wallet else { return }
        self.wallet = wallet.name
        network = network ?? wallet.network
    }
}
