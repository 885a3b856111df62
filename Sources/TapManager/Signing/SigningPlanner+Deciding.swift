import Bitcoin

/// What every signing flow decides in the same way, whoever has the keys.
extension SigningPlanner {
    /// A planner for a PSBT and a signer of one network.
    /// - Parameters:
    ///   - network: the requested one; `nil`: the signer's.
    ///   - signer: what has the keys, worded to start a sentence.
    ///   - wallet: the one that the transaction belongs to; `nil`: none.
    /// - Throws: `FlowError.refused` (`network_mismatch`) if the signer is for a different network than the requested
    ///   one.
    init(
        psbt: PSBT, network: Network?, signer: String, signerNetwork: KeyNetwork, policy: SigningPolicy,
        wallet: WatchWallet?
    ) throws(FlowError) {
        if let network, network.keyNetwork != signerNetwork, !policy.ignoresSignerNetwork {
            let finding = Finding(
                .refusal, .networkMismatch, .transaction,
                "\(signer) is for \(signerNetwork == .main ? "bitcoin" : "the test networks"), not for \(network).")
            throw .refused([finding])
        }
        self.init(
            psbt: psbt, network: network ?? (signerNetwork == .main ? .main : .test), policy: policy, wallet: wallet)
        self.signerNetwork = signerNetwork
    }

    /// The hardened paths that the plan needs besides the signer's own.
    /// - Throws: `FlowError.refused` (`too_many_accounts`).
    func otherAccounts(
        of fingerprint: Fingerprint, than own: DerivationPath
    ) throws(FlowError) -> [DerivationPath] {
        var accounts: [DerivationPath]
        do throws(SigningRefusal) { accounts = try self.accounts(of: fingerprint) } catch {
            throw .refused(error.findings)
        }
        if policy.requiresRegistration {
            // They tell whether the signer made the registrations.
            for signer in try given().map(\.signer) where signer.fingerprint == fingerprint {
                if !accounts.contains(signer.path) { accounts.append(signer.path) }
            }
        }
        return accounts.filter { $0 != own }
    }

    /// Makes the plan, and throws if the signer has nothing to sign.
    /// - Parameter store: its wallets help only if the PSBT does not show enough; what they cannot settle either stays
    ///   unusual or unproven. Its transactions show which payees are already paid.
    /// - Throws: `FlowError`: `.refused`, `.nothingToSign`, `.alteredWallet`, `.otherWalletsCoin`, `.noRegistration`,
    ///   `.registrationUnconfirmed`, `.store`.
    func decide(
        keys: SignerKeys, present: DerivationPath, final: DerivationPath, store: (any Store)?
    ) throws(FlowError) -> SigningPlan {
        let registered = try registeredWallets(of: keys, in: store)
        var plan: SigningPlan
        do throws(SigningRefusal) {
            // What a registered wallet proves would be refused without it.
            let known = registered.isEmpty ? nil : known(to: store, of: keys, registered)
            plan = try (known.map(knowing) ?? self).plan(keys: keys, present: present, final: final)
            if known == nil, plan.findings.contains(where: \.isSettledByStoredWallets),
                let known = self.known(to: store, of: keys, registered), !known.isEmpty
            {
                plan = try knowing(known).plan(keys: keys, present: present, final: final)
            }
        } catch { throw .refused(error.findings) }
        guard plan.signatureCount + plan.presentCount > 0 || plan.psbt.inputs.allSatisfy(\.isFinal) else {
            throw .nothingToSign(by: keys.masterFingerprint, in: plan.psbt, plan.findings)
        }
        try requireRegistration(of: context(keys: keys), by: keys)
        if let store { plan.findings += store.repetitions(of: plan.review, unsettledBefore: unsettledBefore) }
        return plan
    }

    /// Confirms, if the policy asks for it, that the signer made one of the given registrations, and that every coin that it
    /// signs for is of a wallet that it registered. What the store says about the wallet's keys counts for nothing here.
    /// - Throws: `FlowError`: `.otherWalletsCoin`, `.noRegistration`, `.registrationUnconfirmed`, `.alteredWallet`.
    func requireRegistration(
        of context: @autoclosure () -> SigningContext, by keys: SignerKeys
    ) throws(FlowError) {
        guard policy.requiresRegistration else { return }
        let context = context()
        let own = zip(context.coins, context.claims).filter { $0.1.contains { $0.proven != nil } }
        guard !own.isEmpty else { throw .registrationUnconfirmed }
        let named = try given().filter { $0.signer.fingerprint == keys.masterFingerprint }
        guard !named.isEmpty else { throw .noRegistration(by: keys.masterFingerprint) }
        let registered = try registeredWallets(of: keys, in: nil)
        for (coin, claims) in own {
            let coin = [(try? coin.get(), claims)]
            guard registered.contains(where: { $0.owns(coin) }) else {
                throw .otherWalletsCoin(registered: Set(named.map(\.wallet.name)).sorted(), by: keys.masterFingerprint)
            }
        }
    }

    /// The same with what the store has of the signer's keys, as far as that tells, for a transaction that nothing else keeps
    /// from being signed.
    func requireRegistration(beforeSigning context: SigningContext, by keys: SignerKeys) throws(FlowError) {
        guard policy.requiresRegistration, !context.findings.contains(where: { $0.severity == .refusal }),
            context.claims.joined().contains(where: { $0.proven != nil })
        else { return }
        let signers = try given().map(\.signer).filter { $0.fingerprint == keys.masterFingerprint }
        guard signers.allSatisfy({ keys.accounts[$0.path] != nil }) else { return }
        try requireRegistration(of: context, by: keys)
    }

    /// The wallets that the signer registered with a key that it uses here, whether stored or given.
    /// - Throws: `FlowError`: `.alteredWallet`, `.store`.
    func registeredWallets(of keys: SignerKeys, in store: (any Store)?) throws(FlowError) -> [WatchWallet] {
        let given = try given()
        do {
            let stored = try store?.registeredWallets(of: keys) ?? []
            return try stored + given.filter { try $0.isMade(by: keys) ?? false }.map(\.wallet)
        } catch { throw FlowError(registration: error) }
    }

    /// The registrations that were given.
    private func given() throws(FlowError) -> [ClaimedRegistration] {
        do { return try policy.registrations.map { try ClaimedRegistration($0, on: nil) } } catch {
            throw FlowError(registration: error)
        }
    }

    /// What stored wallets show about the signer, and those that it registered.
    func known(to store: (any Store)?, of keys: SignerKeys, _ registered: [WatchWallet]) -> StoredWallets? {
        guard let store else {
            var known = StoredWallets()
            known.registered = registered
            return known
        }
        return try? store.storedWallets(of: keys, registered: registered)
    }
}

extension FlowError {
    /// Why a registration does not hold.
    fileprivate init(registration error: any Error) {
        switch error {
        case RegistrationError.altered(let wallet, let fingerprint): self = .alteredWallet(wallet, by: fingerprint)
        case let error as StoreError: self = .store(error)
        // What is given was examined before: see `RegistrationText.requireSigned`.
        default: self = .unexpected(String(describing: type(of: error)))
        }
    }

    /// The error for a signer who has no key in a PSBT.
    static func nothingToSign(by fingerprint: Fingerprint, in psbt: PSBT, _ findings: [Finding]) -> FlowError {
        let named = Set(psbt.inputs.flatMap { $0.derivations.map(\.fingerprint) })
        return .nothingToSign(
            card: fingerprint, named: named.sorted { $0.description < $1.description },
            findings: findings.filter { $0.severity == .warning })
    }
}

extension Finding {
    /// Whether what stored wallets show may settle it.
    var isSettledByStoredWallets: Bool { code == .changePathUnusual || code == .changeNotProven }
}
