import Bitcoin

/// Addresses that cards verify.
extension CardManager {
    /// Has cards prove that they have keys of a wallet's address: those of the address, and those of the change that
    /// goes with it, as verifying the address also makes the change branch trusted.
    /// - Parameters:
    ///   - known: the chain server's last answer.
    ///   - network: the one that the cards must be for; `nil`: any.
    /// - Throws: `ErrorCode.outOfReach` for an address so far away that nobody would find it again,
    ///   `ErrorCode.otherWallet` for a card that has no key of it, `ErrorCode.badProof` if a remembered card has proven
    ///   another key than the wallet has of it, and what `accounts` throws.
    public nonisolated func prove(
        _ address: ReceivingAddress, of opened: OpenedWallet, known: WalletChain?, by choice: CardChoice = .any,
        network: Network? = nil
    ) async throws -> AddressProof {
        let (place, wallet) = (address.place, opened.wallet)
        // What was shown must be what is proven: the address at this place of the wallet.
        guard wallet.descriptors.indices.contains(place.descriptor),
            (try? wallet.address(at: place)) == address.address
        else { throw AddressProofError.otherAddress(wallet: wallet.name) }
        let descriptor = wallet.descriptors[place.descriptor]
        let change = wallet.changeBranch.map { $0.place($0.isRanged ? place.index : 0) }
        try wallet.requireNear(place, known: known)
        let found = try await accounts(of: choice, atLeast: 1, network: network, for: .proveAddress)
        var proven: Set<KeyOrigin> = []
        for card in found {
            try opened.stored.requireRegistration(by: card.account)
            proven.insert(try wallet.requireKeys(of: card, at: place))
            if let change { try wallet.requireKeys(of: card, at: change) }
        }
        // Now that these are known, too.
        try requireKeysOfKnownCards(in: wallet)
        let isProven = { (key: DescriptorKey) in key.origin.map(proven.contains) ?? false }
        // A key that is on several spending paths is one key.
        return AddressProof(
            cards: found.map(\.card.ident), keyCount: Set(descriptor.keys.map(\.shown)).count,
            unprovenKeyCount: Set(descriptor.keys.lazy.filter { !isProven($0) }.map(\.shown)).count,
            fewestOthers: descriptor.fewestSigners(hasOpenLocks: true, without: isProven),
            othersNeedLock: descriptor.fewestSigners(hasOpenLocks: false, without: isProven) == nil,
            isRegistered: found.allSatisfy { opened.stored.isRegistered(by: $0.account) })
    }

    /// The same for a wallet that each of the cards registered, as registrations show that were kept elsewhere: what the store
    /// says about the wallet's keys and conditions counts for nothing. Which addresses were used, it alone says.
    /// - Throws: also `ErrorCode.alteredWallet` if the stored wallet is another one than was registered, or a registration is
    ///   not what the card signed; `ErrorCode.badRegistration` if a card made none of them.
    package nonisolated func prove(
        _ address: ReceivingAddress, of opened: OpenedWallet, registeredAs registrations: [RegistrationText],
        known: WalletChain?, by choice: CardChoice = .any, network: Network? = nil
    ) async throws -> AddressProof {
        guard !registrations.isEmpty else {
            return try await prove(address, of: opened, known: known, by: choice, network: network)
        }
        let claimed = try opened.with(registrations)
        let proof = try await prove(address, of: claimed, known: known, by: choice, network: network)
        guard proof.isRegistered else { throw RegistrationError.notEveryCards(wallet: opened.stored.name) }
        return proof
    }

    /// Has a given card prove an address that is given by a descriptor or a path: it is derived from keys that the card
    /// proves now, whatever is remembered about them. The card is moved to their paths, and back.
    /// - Parameters:
    ///   - fingerprint: the one that the card was chosen by; `nil`: any.
    ///   - network: the address's. The card may be for a different one, as its keys are the same everywhere.
    /// - Throws: `AddressClaimError`, before the CVC is asked for if possible; `FlowError`;
    ///   `CardSearchError.otherFingerprint`; what the interaction throws.
    package nonisolated func prove(
        _ claim: AddressClaim, by card: CardAtHand, expecting fingerprint: Fingerprint? = nil, network: Network
    ) async throws -> ProvenAddress {
        if let fingerprint { _ = try claim.accounts(of: fingerprint) }
        return try await visiting(card, for: .proveAddress) { flow in
            var own = fingerprint
            if own == nil { own = try await keys(at: [], of: card, expecting: nil, by: flow).masterFingerprint }
            let accounts = try own.map(claim.accounts) ?? []
            return try claim.proven(
                by: try await keys(at: accounts, of: card, expecting: fingerprint, by: flow), on: network)
        }
    }
}

extension WatchWallet {
    /// Confirms that a card's account is the claimed one of at least one key at a place.
    /// - Returns: the origin of all of them.
    @discardableResult
    fileprivate func requireKeys(of card: CardAccount, at place: WalletPlace) throws -> KeyOrigin {
        let account = card.account
        let named = descriptors[place.descriptor].keys.filter { $0.origin?.fingerprint == account.masterFingerprint }
        let own = named.filter { $0.origin?.path == account.path }
        for key in own {
            let isOwn =
                switch key.material {
                case .extended(let extended):
                    extended.publicKey == account.key.publicKey && extended.chainCode == account.key.chainCode
                case .publicKey(let bytes): bytes == account.key.publicKey.bytes
                default: false
                }
            guard isOwn else { throw AddressProofError.falseKey(account.path) }
        }
        guard !own.isEmpty else {
            if let path = named.first?.origin?.path {
                throw AddressProofError.otherPath(wallet: path, card: account.path)
            }
            throw AddressProofError.noKey(card.card.ident, account.masterFingerprint, wallet: name)
        }
        let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
        try requireReach(of: place, from: origin)
        return origin
    }
}

extension Descriptor {
    /// The fewest keys that can spend together without some others; `nil`: none can. Of taproot's scripts, any may be used:
    /// one key is enough.
    fileprivate func fewestSigners(hasOpenLocks: Bool, without isLeftOut: (DescriptorKey) -> Bool) -> Int? {
        if let miniscript {
            return SpendingPolicy(miniscript).fewestSigners(hasOpenLocks: hasOpenLocks, without: isLeftOut)
        }
        let others = keys.count { !isLeftOut($0) }
        let threshold = multisig?.threshold ?? 1
        return others < threshold ? nil : threshold
    }
}
