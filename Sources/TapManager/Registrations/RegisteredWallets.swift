import Bitcoin

extension Store {
    /// The stored wallets that a signer registered with one of its keys at hand, each confirmed.
    /// - Parameter keys: the signer's, proven.
    /// - Throws: `RegistrationError.altered` if one of them is not as it was registered; `StoreError`.
    func registeredWallets(of keys: SignerKeys) throws -> [WatchWallet] {
        var confirmed: [WatchWallet] = []
        for stored in try wallets() {
            let own = stored.registrations.filter { $0.account.fingerprint == keys.masterFingerprint }
            for registration in own {
                guard let key = keys.accounts[registration.account.path]?.publicKey else { continue }
                let altered = RegistrationError.altered(wallet: stored.name, keys.masterFingerprint)
                guard let wallet = try? WatchWallet(stored), wallet.fault == nil,
                    registration.isSignature(of: RegisteredContent(wallet), by: key)
                else { throw altered }
                confirmed.append(wallet)
            }
        }
        return confirmed
    }
}

extension RegistrationText {
    /// The wallet as it is written, which nothing confirms.
    /// - Throws: `WalletError`.
    package func wallet(on network: Network?) throws(WalletError) -> WatchWallet {
        try WalletDraft(
            name: try WalletName(parsing: name), network: network, descriptors: descriptors
        ).wallet
    }

    /// The wallet, if the signer registered it with one of its keys at hand.
    /// - Parameter keys: the signer's, proven.
    /// - Returns: `nil` if none of these keys can tell.
    /// - Throws: `RegistrationError`: `.altered`, `.otherDevice`; `WalletError`.
    func wallet(registeredBy keys: SignerKeys, on network: Network?) throws -> WatchWallet? {
        guard let registration = WalletRegistration(registration) else { throw RegistrationError.otherDevice(device) }
        let wallet = try wallet(on: network)
        let content = RegisteredContent(wallet)
        guard let account = content.accounts(of: keys.masterFingerprint).first,
            let key = keys.accounts[account]?.publicKey
        else { return nil }
        guard registration.isSignature(of: content, by: key) else {
            throw RegistrationError.altered(wallet: name, keys.masterFingerprint)
        }
        return wallet
    }
}

extension RegistrationText {
    /// The registration in stored form, confirmed with the key in the wallet that signed.
    /// - Throws: `RegistrationError`, `WalletError`.
    func selfConsistentRegistration(on network: Network?, at time: UnixTime) throws -> StoredRegistration {
        guard let registration = WalletRegistration(registration) else { throw RegistrationError.otherDevice(device) }
        let content = RegisteredContent(try wallet(on: network))
        guard let account = content.signer(of: registration) else {
            throw RegistrationError.altered(wallet: name, nil)
        }
        return StoredRegistration(account: account, bytes: registration.bytes, created: time)
    }
}

extension StoredWallet {
    /// Whether a card registered it.
    func isRegistered(by account: Account) -> Bool {
        registrations.contains { $0.account.fingerprint == account.masterFingerprint }
    }

    /// Confirms that a card's registration is one of this wallet, if there is one.
    /// - Parameter account: the card's, proven.
    /// - Throws: `RegistrationError.altered`; `AddressProofError.otherPath` if the card registered it at another path.
    func requireRegistration(by account: Account) throws {
        for registration in registrations where registration.account.fingerprint == account.masterFingerprint {
            guard registration.account.path == account.path else {
                throw AddressProofError.otherPath(wallet: registration.account.path, card: account.path)
            }
            guard registration.isSignature(of: RegisteredContent(try WatchWallet(self)), by: account.key.publicKey)
            else {
                throw RegistrationError.altered(wallet: name, account.masterFingerprint)
            }
        }
    }
}

extension StoredWallet {
    /// Its registrations, each with the text to keep elsewhere; `nil` for those of another wallet than this one.
    func registrations(
        in store: any Store
    ) throws(StoreError) -> [(stored: StoredRegistration, text: String?)] {
        guard !registrations.isEmpty, let wallet = try? WatchWallet(self) else {
            return registrations.map { ($0, nil) }
        }
        let (content, cards) = (RegisteredContent(wallet), try store.cards())
        return registrations.map { stored in
            let product = cards.first { $0.fingerprint == stored.account.fingerprint }?.product ?? .tapsigner
            let registration = content.isSigned(as: stored) ? WalletRegistration(stored.bytes) : nil
            return (stored, registration.map { RegistrationText(content, $0, by: product).text })
        }
    }
}

extension OpenedWallet {
    /// Confirms that the keys which the wallet names made its registrations: whoever altered the stored wallet is found
    /// out before a card is needed.
    /// - Throws: `RegistrationError.altered`.
    func requireRegistrations() throws(RegistrationError) {
        guard !stored.registrations.isEmpty else { return }
        let content = RegisteredContent(wallet)
        for registration in stored.registrations where !content.isSigned(as: registration) {
            throw .altered(wallet: stored.name, registration.account.fingerprint)
        }
    }
}
