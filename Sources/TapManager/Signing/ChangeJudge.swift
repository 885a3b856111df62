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
    /// A step above this in a change path is unusual: a key that nobody would find again.
    static let highestUsualIndex: UInt32 = 1 << 20

    private var accounts: Set<DerivationPath> = []
    private var depths: Set<Int> = []
    private var scriptTypes: Set<ScriptType> = []
    /// Whether a multisig of our inputs has its keys in another order than BIP-67's.
    private var hasUnsortedMultisig = false
    /// Who may spend our inputs.
    private var policies: Set<Policy> = []
    private var cosigners: CosignerKeys

    /// Learns accounts, script types, multisig policies and cosigners from our inputs.
    init(psbt: PSBT, scripts: [SpendingScript?], claims: [[KeyClaim]]) {
        cosigners = CosignerKeys(psbt.globalExtendedKeys)
        for (index, input) in psbt.inputs.enumerated() {
            let paths = claims[index].compactMap { $0.proven?.path }
            guard !paths.isEmpty, let script = scripts[index] else { continue }
            accounts.formUnion(paths.map(\.account))
            depths.formUnion(paths.map(\.subpath.steps.count))
            scriptTypes.insert(ScriptType(script))
            if case .multisig(let multisig) = script.template, !multisig.isSorted { hasUnsortedMultisig = true }
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
        if case .proven(let path, _) = verdict, !accounts.contains(path.account) {
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
        return .proven(path, unusual: unusual(path, script: script))
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
        for key in multisig.keys where !ownKeys.contains(key) {
            let origin = origins[key]
            let siblings = multisig.keys.count { origins[$0]?.fingerprint == origin?.fingerprint }
            switch origin.map({ cosigners.word(on: $0, siblings: siblings) }) {
            case .proven: continue
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
        return .proven(path, unusual: unusual(path, script: script))
    }

    /// What is out of the ordinary about a path, so that the money might never be found again.
    private func unusual(_ path: CardPath, script: SpendingScript) -> String? {
        if case .multisig(let multisig) = script.template, !multisig.isSorted, !hasUnsortedMultisig {
            return "its keys are not sorted as the inputs' are"
        }
        if !scriptTypes.contains(ScriptType(script)) { return "no input uses its script type" }
        if !depths.contains(path.subpath.steps.count) { return "no input's path is as long as \(path.path)" }
        if let index = path.subpath.steps.last?.index, index > Self.highestUsualIndex {
            return "the step \(index) is far outside what wallets look through"
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
