import Bitcoin
import TapProtocol

/// Registering wallets with cards.
extension CardManager {
    /// Has a card register a stored wallet: after it was shown and confirmed (`Question.registerWallet`), the card signs its
    /// name and descriptors. From then on, the card signs no transaction, and proves none of the wallet's addresses, as long as
    /// the stored wallet is another one than that.
    /// - Parameter choice: the card, which must have an extended key of the wallet. It is moved to that key's path, and back.
    /// - Throws: `ErrorCode.otherWallet` for a card that has no extended key of it, or another key than the wallet says;
    ///   `ErrorCode.noSuchWallet` if it was changed meanwhile; `CardSearchError`, `FlowError`, and what the interaction
    ///   throws.
    ///
    /// Spec: BIP-388.
    package nonisolated func register(
        _ opened: OpenedWallet, by choice: CardChoice = .any, network: Network? = nil
    ) async throws -> RegisteredWallet {
        let registered: RegisteredWallet
        if case .fingerprint(let fingerprint) = choice {
            registered = try await withCard(of: fingerprint, network: network) { card, _ in
                try await lettingGo(of: card) {
                    try await register(opened.wallet, with: card, expecting: fingerprint)
                }
            }
        } else {
            let card = try await card(choice, for: network)
            registered = try await lettingGo(of: card) {
                try await register(opened.wallet, with: card, expecting: nil)
            }
        }
        do throws(StoreError) { try store.add(registered.stored, to: opened.stored) } catch {
            throw WalletError.store(error)
        }
        return registered
    }

    /// Has a given card register a wallet, which is not stored.
    /// - Parameter fingerprint: the one that the card was chosen by; `nil`: any.
    /// - Throws: the same.
    package nonisolated func register(
        _ wallet: WatchWallet, with card: CardAtHand, expecting fingerprint: Fingerprint?
    ) async throws -> RegisteredWallet {
        try wallet.requireSound()
        let content = RegisteredContent(wallet)
        let purpose = CVCPurpose.registerWallet(wallet.name)
        try purpose.requireProduct(of: card)
        try await requireState(of: card, purpose.obstacle)
        let known = try fingerprint ?? knownFingerprint(of: card)
        if let known { try content.requireKey(of: card.ident, known) }
        try requireKeysOfKnownCards(in: wallet)
        tellLockout(of: card)
        let question = try RegistrationQuestion(wallet, signer: card, fingerprint: known, namedBy: store)
        try await interaction.confirm(.registerWallet(question))
        return try await visiting(card, for: purpose, isLockoutTold: true) { flow in
            var own = known
            if own == nil {
                own = try await keys(at: [], of: card, expecting: fingerprint, by: flow).masterFingerprint
            }
            let accounts = own.map(content.accountsOfAllKeys) ?? []
            let keys = try await keys(at: accounts, of: card, expecting: fingerprint, by: flow)
            guard let account = own.flatMap({ content.accounts(of: $0).first }), let key = keys.accounts[account],
                own == keys.masterFingerprint
            else {
                throw AddressProofError.noExtendedKey(card.ident, keys.masterFingerprint, wallet: wallet.name)
            }
            try content.requireKeys(of: keys)
            let registration = try await flow.register(content, at: account, by: key)
            return RegisteredWallet(
                card: card,
                text: RegistrationText(content, registration, by: card.status.product),
                stored: StoredRegistration(
                    account: KeyOrigin(fingerprint: keys.masterFingerprint, path: account), bytes: registration.bytes,
                    created: now))
        }
    }

    /// Has a given card prove an address of a wallet that it registered. The card is moved to its keys' paths, and back.
    /// - Parameters:
    ///   - branch: the address's branch in the wallet, from 0.
    ///   - index: below 2³¹; 0 for a wallet with only one address.
    ///   - fingerprint: the one that the card was chosen by; `nil`: any.
    ///   - network: that of the address.
    /// - Returns: the address, and why wallets would not find it, if they would not.
    /// - Throws: `ErrorCode.alteredWallet` if the card did not register this wallet; `ErrorCode.badRegistration`,
    ///   `ErrorCode.otherWallet`, `ErrorCode.badDescriptor`; `FlowError`; what the interaction throws.
    package nonisolated func prove(
        _ text: RegistrationText, branch: Int, index: UInt32, by card: CardAtHand,
        expecting fingerprint: Fingerprint?, network: Network
    ) async throws -> (address: Address, caution: ReachFault?) {
        let claimed = try ClaimedRegistration(text, on: network)
        let (wallet, content) = (claimed.wallet, RegisteredContent(claimed.wallet))
        guard wallet.branches.indices.contains(branch) else { throw WalletError.noAddress(.noSuchScript) }
        let place = wallet.branches[branch].place(index)
        let address = try wallet.address(at: place)
        return try await visiting(card, for: .proveAddress) { flow in
            var own = try fingerprint ?? knownFingerprint(of: card)
            if own == nil {
                own = try await keys(at: [], of: card, expecting: fingerprint, by: flow).masterFingerprint
            }
            guard own == claimed.signer.fingerprint else { throw RegistrationError.otherCard(wallet: text.name) }
            let accounts = own.map(content.accountsOfAllKeys) ?? []
            let keys = try await keys(at: accounts, of: card, expecting: fingerprint, by: flow)
            guard try claimed.isMade(by: keys) == true else {
                throw RegistrationError.otherCard(wallet: text.name)
            }
            try content.requireKeys(of: keys)
            return (address, wallet.reachFault(of: place, from: claimed.signer))
        }
    }

    /// Adds a wallet with its registration, which a card made, here or elsewhere. The registration is confirmed with the
    /// wallet's own key; that this key is the card's, the card proves when it is used.
    /// - Parameter network: the requested one; `nil`: the one that the keys show.
    /// - Throws: `ErrorCode.badRegistration`, `ErrorCode.alteredWallet`, and what `addWallet` throws.
    package nonisolated func addWallet(
        registeredAs text: RegistrationText, network: Network? = nil
    ) async throws -> AddedWallet {
        let claimed = try ClaimedRegistration(text, on: network)
        try requireKnownKey(of: claimed)
        let stored = StoredRegistration(account: claimed.signer, bytes: claimed.registration.bytes, created: now)
        return try await addWallet(
            named: text.name, of: .parsing(text.descriptors), network: network, registrations: [stored])
    }

    /// Confirms that a registration is by the key that the card named in it has proven to this store, if it has.
    /// - Throws: `RegistrationError.altered`; `StoreError`.
    private nonisolated func requireKnownKey(of claimed: ClaimedRegistration) throws {
        for card in try store.cards() where card.fingerprint == claimed.signer.fingerprint {
            guard let known = try store.provenAccount(of: card.publicKey, at: claimed.signer.path) else { continue }
            _ = try claimed.isMade(
                by: SignerKeys(masterFingerprint: claimed.signer.fingerprint, accounts: [known.path: known.key]))
        }
    }
}

/// A wallet that a card registered.
package struct RegisteredWallet: Sendable {
    /// The card.
    package let card: CardAtHand
    /// The registration with the wallet, to be kept elsewhere.
    package let text: RegistrationText
    /// The registration as it is stored with the wallet.
    package let stored: StoredRegistration
}

extension RegisteredContent {
    /// Confirms that a card with a fingerprint can have an extended key of the wallet.
    /// - Throws: `.noExtendedKey`.
    fileprivate func requireKey(of card: CardIdent, _ fingerprint: Fingerprint) throws(AddressProofError) {
        guard !accounts(of: fingerprint).isEmpty else { throw .noExtendedKey(card, fingerprint, wallet: name) }
    }
}
