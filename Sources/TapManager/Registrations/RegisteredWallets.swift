import Bitcoin

extension Store {
    /// The stored wallets that a signer registered with one of its keys at hand, each confirmed.
    /// - Parameter keys: the signer's, proven.
    /// - Throws: `RegistrationError.altered` if a wallet with registrations that names the signer is not as it was
    ///   registered, by whomever; `StoreError`.
    func registeredWallets(of keys: SignerKeys) throws -> [WatchWallet] {
        var confirmed: [WatchWallet] = []
        for stored in try wallets() where !stored.registrations.isEmpty {
            let wallet = try? WatchWallet(stored)
            let content = wallet.map(RegisteredContent.init)
            let own = stored.registrations.filter { $0.account.fingerprint == keys.masterFingerprint }
            guard !own.isEmpty || content?.names(keys.masterFingerprint) ?? true else { continue }
            let altered = RegistrationError.altered(wallet: stored.name, keys.masterFingerprint)
            guard let wallet, let content, wallet.fault == nil, wallet.isOfItsKeysNetwork,
                stored.registrations.allSatisfy(content.isSigned)
            else { throw altered }
            for registration in own {
                guard let key = keys.accounts[registration.account.path]?.publicKey else { continue }
                guard registration.isSignature(of: content, by: key) else { throw altered }
                confirmed.append(wallet)
            }
        }
        return confirmed
    }
}

extension WatchWallet {
    /// Whether its network is one that its extended keys are for.
    var isOfItsKeysNetwork: Bool { descriptors.allSatisfy { $0.keyNetworks.isSubset(of: [network.keyNetwork]) } }
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
    /// Its registrations, each with the text to keep elsewhere; `nil` for those of another wallet than this one. Also whether
    /// the store remembers a card that has proven the key which made it: anybody can write a card's fingerprint.
    func registrations(
        in store: any Store
    ) throws(StoreError) -> [(stored: StoredRegistration, text: String?, isProven: Bool)] {
        guard !registrations.isEmpty, let wallet = try? WatchWallet(self) else {
            return registrations.map { ($0, nil, false) }
        }
        let (content, cards) = (RegisteredContent(wallet), try store.cards())
        return try registrations.map { stored throws(StoreError) in
            let named = cards.filter { $0.fingerprint == stored.account.fingerprint }
            guard wallet.isOfItsKeysNetwork, content.isSigned(as: stored),
                let registration = WalletRegistration(stored.bytes)
            else { return (stored, nil, false) }
            var isProven = false
            for card in named {
                guard let account = try store.provenAccount(of: card.publicKey, at: stored.account.path) else {
                    continue
                }
                if registration.isSignature(of: content, by: account.key.publicKey) { isProven = true }
            }
            let text = RegistrationText(content, registration, by: named.first?.product ?? .tapsigner).text
            return (stored, text, isProven)
        }
    }
}

extension StoredWallet {
    /// Whether a remembered card has proven the key that registered it as it is.
    func isRegistered(in store: some Store) -> Bool {
        ((try? registrations(in: store)) ?? []).contains(where: \.isProven)
    }

    /// Why it cannot be used: one with registrations could be when it was registered, so it was altered since, unless only
    /// another network was asked for.
    func cause(of error: WalletError) -> any Error {
        guard let registration = registrations.first else { return error }
        if case .wrongNetwork = error, asRegistered != nil { return error }
        return RegistrationError.altered(wallet: name, registration.account.fingerprint)
    }

    /// Why it is not what a card registered; `nil` if it is, and if none did.
    package var alteration: RegistrationError? {
        guard let first = registrations.first, asRegistered == nil else { return nil }
        let content = (try? WatchWallet(self)).map(RegisteredContent.init)
        let other = content.flatMap { content in registrations.first { !content.isSigned(as: $0) } }
        return .altered(wallet: name, (other ?? first).account.fingerprint)
    }

    /// The wallet that it proves what is its own with; `nil` if it cannot be read, or is not what was registered.
    var asRegistered: WatchWallet? {
        guard let wallet = try? WatchWallet(self) else { return nil }
        guard !registrations.isEmpty else { return wallet }
        let content = RegisteredContent(wallet)
        return wallet.isOfItsKeysNetwork && registrations.allSatisfy(content.isSigned) ? wallet : nil
    }
}

extension OpenedWallet {
    /// The same wallet with registrations of it that were kept elsewhere, instead of the stored ones.
    /// - Throws: `RegistrationError`: `.otherWallet`, `.altered`; `WalletError`.
    func with(_ registrations: [RegistrationText]) throws -> Self {
        var stored = stored
        stored.registrations = try registrations.map { text in
            let claimed = try ClaimedRegistration(text, on: wallet.network)
            let (content, own) = (RegisteredContent(claimed.wallet), RegisteredContent(wallet))
            guard content.name == own.name, content.descriptors == own.descriptors else {
                throw RegistrationError.otherWallet(registered: content.name, stored: own.name)
            }
            return StoredRegistration(
                account: claimed.signer, bytes: claimed.registration.bytes, created: self.stored.created)
        }
        return try Self(stored, network: wallet.network)
    }

    /// Confirms that the keys which the wallet names made its registrations: whoever altered the stored wallet is found
    /// out before a card is needed.
    /// - Throws: `RegistrationError.altered`.
    func requireRegistrations() throws(RegistrationError) {
        guard !stored.registrations.isEmpty else { return }
        let content = RegisteredContent(wallet)
        for registration in stored.registrations
        where !wallet.isOfItsKeysNetwork || !content.isSigned(as: registration) {
            throw .altered(wallet: stored.name, registration.account.fingerprint)
        }
    }
}
