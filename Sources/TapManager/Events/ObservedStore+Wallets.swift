extension ObservedStore {
    func wallets() throws(StoreError) -> [StoredWallet] { try kept.wallets() }

    func save(_ wallet: StoredWallet) throws(StoreError) {
        try kept.save(wallet)
        hub.publish(.wallet(wallet.name, .changed))
    }

    func add(_ wallet: StoredWallet) throws(StoreError) {
        try kept.add(wallet)
        hub.publish(.wallet(wallet.name, .added))
    }

    func add(_ registration: StoredRegistration, to wallet: StoredWallet) throws(StoreError) {
        try kept.add(registration, to: wallet)
        hub.publish(.wallet(wallet.name, .changed))
    }

    func noteKit(_ digest: [UInt8], of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try kept.noteKit(digest, of: wallet, at: time)
        hub.publish(.wallet(wallet.name, .changed))
    }

    func noteRehearsal(of wallet: StoredWallet, paths: [Int], at time: UnixTime) throws(StoreError) {
        try kept.noteRehearsal(of: wallet, paths: paths, at: time)
        hub.publish(.wallet(wallet.name, .changed))
    }

    func chain(of wallet: String) throws(StoreError) -> WalletChain? { try kept.chain(of: wallet) }

    func save(_ chain: WalletChain, of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try kept.save(chain, of: wallet, at: time)
        hub.publish(.wallet(wallet.name, .synchronized(WalletSynchronization(chain))))
    }

    func delete(_ wallet: StoredWallet) throws(StoreError) {
        try kept.delete(wallet)
        hub.publish(.wallet(wallet.name, .removed))
    }

    func labels() throws(StoreError) -> [StoredLabel] { try kept.labels() }

    func save(_ labels: [StoredLabel]) throws(StoreError) {
        try kept.save(labels)
        hub.publish(.labels(labels.count))
    }
}
