import Bitcoin

/// Recognizes change by what the inputs use.
struct ChangeJudge {
    /// The accounts of our inputs.
    private(set) var accounts: [DerivationPath: InputAccount] = [:]
    private let known: StoredWallets
    private var order = CosignerOrder()
    /// Who may spend our inputs.
    private(set) var policies: Set<InputPolicy> = []
    private(set) var cosigners: CosignerKeys
    private(set) var seatHolders = SeatHolders()
    /// The wallet that the signer registered and that all of its inputs belong to; `nil` if there is none.
    private var registered: WatchWallet?

    /// Learns accounts, script types, policies and cosigners from our inputs.
    init(
        psbt: PSBT, network: Network, coins: [TransactionOutput?], scripts: [SpendingScript?], claims: [[KeyClaim]],
        known: StoredWallets
    ) {
        self.known = known
        cosigners = CosignerKeys(psbt.globalExtendedKeys + known.extendedKeys)
        for (index, input) in psbt.inputs.enumerated() {
            let paths = claims[index].compactMap { $0.proven?.path }
            guard let first = paths.first, let script = scripts[index] else { continue }
            var counted: Set<DerivationPath> = []
            for path in paths {
                // Two keys of an account spend its coin once.
                let value = counted.insert(path.account).inserted ? coins[index]?.value ?? 0 : 0
                accounts[path.account, default: InputAccount(on: network)].spend(value, at: path, by: script)
            }
            if case .multisig(let multisig) = script.template {
                order.learn(from: multisig, derivations: input.derivations)
            }
            let own = Set(claims[index].compactMap { $0.proven?.key.bytes })
            let policy = InputPolicy(script, derivations: input.derivations, ownKeys: own)
            policies.insert(policy)
            if case .conditions(let conditions) = policy, let miniscript = script.miniscript {
                let origins = ConditionsPolicy.origins(of: miniscript, in: input.derivations)
                seatHolders.learn(origins)
                let reference = conditions.reference.flatMap { origins[$0] }.flatMap { CardPath($0.path)?.subpath }
                cosigners.learn(
                    from: script, derivations: input.derivations, at: reference ?? first.subpath, onAnyBranch: true)
                continue
            }
            let place = paths.allSatisfy { $0.subpath == first.subpath } ? first.subpath : DerivationPath()
            cosigners.learn(from: script, derivations: input.derivations, at: place)
        }
        registered = known.registered.first { $0.owns(zip(coins, claims)) }
        let fingerprints = Set(claims.joined().map(\.derivation.fingerprint))
        for (output, fields) in zip(psbt.unsignedTransaction.outputs, psbt.outputs) {
            let named = fields.derivations.filter { fingerprints.contains($0.fingerprint) }
            for account in Set(named.compactMap { CardPath($0.path)?.account }) {
                accounts[account]?.receive(output.value)
            }
        }
    }

    /// Judges an output.
    func verdict(output: TransactionOutput, fields: PSBT.Output, keys: inout SignerKeys) -> ChangeVerdict {
        let fingerprint = keys.masterFingerprint
        guard fields.derivations.contains(where: { $0.fingerprint == fingerprint }) else { return .foreign }
        let script: SpendingScript
        do throws(SpendingScript.Problem) {
            script = try Self.open(output, fields, keys: &keys)
        } catch {
            return .lie(Self.words(for: error))
        }
        let claims = KeyClaim.judge(fields.derivations, script: script, keys: &keys)
        for claim in claims {
            switch claim.verdict {
            case .holds: continue
            case .notSignable: return .unreachable(claim.derivation.path)
            case .otherKey: return .lie("the card has a different key at \(claim.derivation.path)")
            case .notInScript: return .lie("the card's key at \(claim.derivation.path) is not in its script")
            case .notJudged:
                return .lie(
                    "\(KeyClaim.maximumFalseClaims) of its keys are falsely claimed to be the card's, and others were "
                        + "not checked")
            }
        }
        let own = claims.compactMap(\.proven)
        var verdict = verdict(script, own: own, derivations: fields.derivations)
        // The registered wallet's own script is the stronger proof.
        switch verdict {
        case .claimed, .otherCosigners:
            let paths = own.map(\.path)
            guard let registered, let index = registered.index(of: output, by: paths, fingerprint) else { break }
            // A policy can have another of our keys on a branch of its own, or at an index of its own.
            let beside = paths.filter { $0.path.steps.last?.index == index }
            guard let path = beside.first(where: \.isOnUsualBranch) ?? beside.first else { break }
            verdict = .proven(
                path, unusual: accounts[path.account]?.unusual(path, script: script, stored: stored(path)))
        default: break
        }
        if case .proven(let path, _) = verdict, accounts[path.account] == nil {
            // The card's key there is proven, but not that the account belongs to the wallet.
            return .claimed(path, "no input uses the account \(path.account)")
        }
        return verdict
    }

    private func verdict(
        _ script: SpendingScript, own: [(path: CardPath, key: PublicKey)], derivations: [KeyDerivation]
    ) -> ChangeVerdict {
        guard let path = own.first?.path else { return .foreign }
        switch script.template {
        case .p2pk, .p2pkh:
            return singleKeyVerdict(script, path: path)
        case .multisig(let multisig):
            return multisigVerdict(
                script, multisig, path: path, ownKeys: Set(own.map(\.key.bytes)), derivations: derivations)
        default:
            guard let miniscript = script.miniscript else {
                return .claimed(path, "its script is neither a single key, nor a known multisig, nor miniscript")
            }
            return conditionsVerdict(script, miniscript, own: own, derivations: derivations)
        }
    }

    /// Money that needs more than this card's signature must not go where the card's alone is enough.
    private func singleKeyVerdict(_ script: SpendingScript, path: CardPath) -> ChangeVerdict {
        guard policies.isEmpty || policies.contains(.singleKey) else {
            return .otherCosigners("the card's key alone can spend it, but the inputs need more than that key")
        }
        guard policies.count <= 1 else {
            return .claimed(path, "some of the card's inputs need more than its key")
        }
        return .proven(path, unusual: unusual(path, script: script, derivations: []))
    }

    private func multisigVerdict(
        _ script: SpendingScript, _ multisig: MultisigScript, path: CardPath, ownKeys: Set<[UInt8]>,
        derivations: [KeyDerivation]
    ) -> ChangeVerdict {
        guard let policy = MultisigPolicy(script, derivations: derivations), policies.contains(.multisig(policy))
        else {
            return .otherCosigners(
                "it is a \(multisig.threshold)-of-\(multisig.keys.count) multisig whose cosigners, threshold or script "
                    + "type differ from those of the inputs")
        }
        // Anyone can pay a little to a script of our key and theirs, and add that to the inputs.
        guard policies.count == 1 else {
            return .claimed(path, "some of the card's inputs have other cosigners, thresholds or script types")
        }
        let origins = Dictionary(derivations.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
        var unproven: [[UInt8]] = []
        var holders: Set<CosignerKeys.Holder> = []
        for key in multisig.keys where !ownKeys.contains(key) {
            let origin = origins[key]
            let siblings = multisig.keys.count { origins[$0]?.fingerprint == origin?.fingerprint }
            switch origin.map({ cosigners.word(on: $0, siblings: siblings, at: path.subpath) }) {
            case .proven(let holder):
                guard holders.insert(holder).inserted else {
                    return .otherCosigners(
                        "two of its keys come from one cosigner's extended key, so that cosigner would hold more of it "
                            + "than of the inputs"
                    )
                }
            case .refuted:
                return .otherCosigners(
                    "one of its keys is not derived from its cosigner's extended key, which the inputs prove")
            case .some(.none), nil: unproven.append(key)
            }
        }
        guard unproven.isEmpty else {
            return .claimed(path, Self.unprovenKeys(unproven.count, of: multisig.keys.count))
        }
        return .proven(path, unusual: unusual(path, script: script, derivations: derivations))
    }

    /// What is unusual about a path, so that the money might never be found again.
    private func unusual(_ path: CardPath, script: SpendingScript, derivations: [KeyDerivation]) -> String? {
        if case .multisig(let multisig) = script.template, !order.fits(multisig, derivations: derivations) {
            return "its keys are not in the same order as those of the inputs"
        }
        // Besides ours, only keys in the script count: other named keys do no harm.
        let place = path.path.steps.suffix(path.subpath.steps.count)
        let strayed = derivations.first {
            script.names(publicKey: $0.publicKey) && $0.path.steps.suffix(place.count) != place
        }
        if let strayed {
            return "the key of \(strayed.fingerprint) is at \(strayed.path), at other steps than the card's"
        }
        return accounts[path.account]?.unusual(path, script: script, stored: stored(path))
    }

    /// The highest index that a stored wallet uses on the branch of a path; `nil`: unknown.
    func stored(_ path: CardPath) -> UInt32? { known.indexes[path.branch] }

    /// Interprets an output's script. P2SH without a redeem script is tried as P2SH-P2WPKH of our key.
    private static func open(
        _ output: TransactionOutput, _ fields: PSBT.Output, keys: inout SignerKeys
    ) throws(SpendingScript.Problem) -> SpendingScript {
        var redeemScript = fields.redeemScript
        if redeemScript == nil, case .p2sh = ScriptTemplate(output.scriptPubKey), fields.derivations.count == 1,
            let path = fields.derivations.first.flatMap({ CardPath($0.path) }), let key = keys.publicKey(at: path)
        {
            redeemScript = Script.p2wpkh(key)
        }
        return try SpendingScript(
            scriptPubKey: output.scriptPubKey, redeemScript: redeemScript, witnessScript: fields.witnessScript)
    }

    private static func words(for problem: SpendingScript.Problem) -> String {
        switch problem {
        case .redeemScriptMissing: "its redeem script is missing, so nothing proves that the card's key is in it"
        case .redeemScriptMismatch: "its redeem script is not the one that the output commits to"
        case .witnessScriptMissing: "its witness script is missing, so nothing proves that the card's key is in it"
        case .witnessScriptMismatch: "its witness script is not the one that the output commits to"
        }
    }
}
