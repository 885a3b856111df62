import Bitcoin

/// What a wallet looks for: how a script is wrapped, and whether it names a key itself where others name its hash.
private struct ScriptType: Hashable {
    let form: SpendingScript.Form
    let isPayToKey: Bool

    init(_ script: SpendingScript) {
        form = script.form
        isPayToKey = if case .p2pk = script.template { true } else { false }
    }
}

/// Who may spend a script.
private enum Policy: Hashable {
    case singleKey
    case multisig(MultisigPolicy)
    /// A script that is not known.
    case other

    init(_ script: SpendingScript, derivations: [KeyDerivation]) {
        if let multisig = MultisigPolicy(script, derivations: derivations) {
            self = .multisig(multisig)
            return
        }
        switch script.template {
        case .p2pk, .p2pkh: self = .singleKey
        default: self = .other
        }
    }
}

/// Recognizes change by what the inputs use.
struct ChangeJudge {
    /// An account of our inputs.
    private struct Account {
        var indexes = IndexesInUse()
        var scriptTypes: Set<ScriptType> = []
    }

    private var accounts: [DerivationPath: Account] = [:]
    /// The highest index that a stored wallet uses of each account.
    private let storedIndexes: [DerivationPath: UInt32]
    private var depths: Set<Int> = []
    private var order = CosignerOrder()
    /// Who may spend our inputs.
    private var policies: Set<Policy> = []
    private var cosigners: CosignerKeys

    /// Learns accounts, script types, multisig policies and cosigners from our inputs.
    init(psbt: PSBT, scripts: [SpendingScript?], claims: [[KeyClaim]], storedIndexes: [DerivationPath: UInt32]) {
        self.storedIndexes = storedIndexes
        cosigners = CosignerKeys(psbt.globalExtendedKeys)
        for (index, input) in psbt.inputs.enumerated() {
            let paths = claims[index].compactMap { $0.proven?.path }
            guard !paths.isEmpty, let script = scripts[index] else { continue }
            for path in paths {
                if let index = path.subpath.steps.last?.index {
                    accounts[path.account, default: Account()].indexes.insert(index)
                }
                accounts[path.account, default: Account()].scriptTypes.insert(ScriptType(script))
            }
            depths.formUnion(paths.map(\.subpath.steps.count))
            if case .multisig(let multisig) = script.template {
                order.learn(from: multisig, derivations: input.derivations)
            }
            policies.insert(Policy(script, derivations: input.derivations))
            cosigners.learn(from: script, derivations: input.derivations)
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
            case .otherKey: return .lie("the card's key at \(claim.derivation.path) is another one")
            case .notInScript: return .lie("the card's key at \(claim.derivation.path) does not stand in its script")
            }
        }
        let verdict = verdict(script, own: claims.compactMap(\.proven), derivations: fields.derivations)
        if case .proven(let path, _) = verdict, accounts[path.account] == nil {
            // The card's key is proven there; that the account is the wallet's is not.
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
            return .claimed(path, "its script is more than one key, and tapkit does not know it")
        }
    }

    /// Money that needs more than this card's signature must not come back to where the card's alone is enough.
    private func singleKeyVerdict(_ script: SpendingScript, path: CardPath) -> ChangeVerdict {
        guard policies.isEmpty || policies.contains(.singleKey) else {
            return .otherCosigners("the card's key alone can spend it, while its inputs need more than that")
        }
        guard policies.count <= 1 else {
            return .claimed(path, "not all of the card's inputs can be spent with its key alone")
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
                    + "type are not the inputs'")
        }
        // Anybody can pay a little to a script of our key and his own, and put that among the inputs.
        guard policies.count == 1 else {
            return .claimed(path, "not all of the card's inputs have its cosigners, threshold and script type")
        }
        let origins = Dictionary(derivations.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
        var unproven: [[UInt8]] = []
        var holders: Set<CosignerKeys.Holder> = []
        for key in multisig.keys where !ownKeys.contains(key) {
            let origin = origins[key]
            let siblings = multisig.keys.count { origins[$0]?.fingerprint == origin?.fingerprint }
            switch origin.map({ cosigners.word(on: $0, siblings: siblings) }) {
            case .proven(let holder):
                guard holders.insert(holder).inserted else {
                    return .otherCosigners(
                        "two keys in it come from one cosigner's extended key, who would hold more of it than of the inputs"
                    )
                }
            case .refuted:
                return .otherCosigners(
                    "a key in it is not what its cosigner's extended key, which the inputs prove, derives")
            case .some(.none), nil: unproven.append(key)
            }
        }
        guard unproven.isEmpty else {
            return .claimed(
                path,
                "\(unproven.count) of its \(multisig.keys.count) keys are only said to be the cosigners': "
                    + "the PSBT lacks extended keys of theirs that all of the card's inputs bear out")
        }
        return .proven(path, unusual: unusual(path, script: script, derivations: derivations))
    }

    /// What is out of the ordinary about a path, so that the money might never be found again.
    private func unusual(_ path: CardPath, script: SpendingScript, derivations: [KeyDerivation]) -> String? {
        if case .multisig(let multisig) = script.template, !order.fits(multisig, derivations: derivations) {
            return "its keys do not stand in the order of the inputs' keys"
        }
        // Anybody can pay a little to another script of the same key, and put that among the inputs.
        let types = accounts[path.account]?.scriptTypes ?? []
        if types != [ScriptType(script)] {
            return types.contains(ScriptType(script))
                ? "not all inputs of its account use its script type" : "no input of its account uses its script type"
        }
        if !depths.contains(path.subpath.steps.count) { return "no input's path is as long as \(path.path)" }
        // Beside ours only keys of the script count: what else is named is in nobody's way.
        let place = path.path.steps.suffix(path.subpath.steps.count)
        let strayed = derivations.first {
            script.names(publicKey: $0.publicKey) && $0.path.steps.suffix(place.count) != place
        }
        if let strayed {
            return "the key of \(strayed.fingerprint) stands at \(strayed.path), another place than the card's"
        }
        if let index = path.subpath.steps.last?.index,
            let reach = accounts[path.account]?.indexes.reach(stored: storedIndexes[path.account]), index > reach
        {
            return "the index \(index) is far beyond those in use, where wallets do not look"
        }
        if path.subpath.steps.count == 2, let branch = path.subpath.steps.first?.index, branch > 1 {
            return "the branch \(branch) is neither 0 (receive) nor 1 (change)"
        }
        return nil
    }

    /// Opens an output's script. P2SH without a redeem script is tried as P2SH-P2WPKH of our key.
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
        case .redeemScriptMissing: "its redeem script is missing, so our key cannot be shown to be in it"
        case .redeemScriptMismatch: "its redeem script is not the one that the output names"
        case .witnessScriptMissing: "its witness script is missing, so our key cannot be shown to be in it"
        case .witnessScriptMismatch: "its witness script is not the one that the output names"
        }
    }
}
