import Bitcoin

extension ChangeJudge {
    /// Judges an output whose script is miniscript: it must say the same as the inputs', each of its keys must come from
    /// the extended key that has the same place there, and all of them must be where a wallet looks for them together.
    func conditionsVerdict(
        _ script: SpendingScript, _ miniscript: Miniscript<ScriptKey>, own: [(path: CardPath, key: PublicKey)],
        derivations: [KeyDerivation]
    ) -> ChangeVerdict {
        let origins = ConditionsPolicy.origins(of: miniscript, in: derivations)
        let ownPaths = Dictionary(own.map { ($0.key.bytes, $0.path) }) { first, _ in first }
        let policy = ConditionsPolicy(script, miniscript, origins: origins, ownKeys: Set(ownPaths.keys))
        guard let path = policy.reference.flatMap({ origins[$0] }).flatMap({ ownPaths[$0.publicKey] }) else {
            return .foreign
        }
        guard policies.contains(.conditions(policy)) else {
            return .otherCosigners(
                "it can be spent by other keys or under other conditions than the inputs, or its keys are at other steps"
            )
        }
        guard policies.count == 1 else {
            return .claimed(path, "some of the card's inputs can be spent by other keys or under other conditions")
        }
        var unproven = 0
        for (seat, origin) in origins.enumerated() {
            // Of others' keys, the inputs say themselves where they are: that they are always the same proves nothing.
            if let origin, policy.seats[seat].isOwn, seatHolders.isFixed(origin.publicKey, at: seat) { continue }
            guard let origin else {
                unproven += 1
                continue
            }
            guard Self.stands(origin.path, beside: path), policy.seats[seat].branchDistance != nil else {
                return .claimed(path, "the key of \(origin.fingerprint) is at \(origin.path), not beside the card's")
            }
            if policy.seats[seat].isOwn { continue }
            let siblings = origins.count { $0?.fingerprint == origin.fingerprint }
            switch cosigners.word(on: origin, siblings: siblings, at: path.subpath) {
            case .proven(let holder):
                guard seatHolders.holder(at: seat, by: cosigners, path.subpath) == holder else {
                    return .otherCosigners("one cosigner's key stands where another's stands in the inputs")
                }
            case .refuted:
                return .otherCosigners(
                    "one of its keys is not derived from its cosigner's extended key, which the inputs prove")
            case .none: unproven += 1
            }
        }
        guard unproven == 0 else { return .claimed(path, Self.unprovenKeys(unproven, of: origins.count)) }
        return .proven(path, unusual: accounts[path.account]?.unusual(path, script: script, stored: stored(path)))
    }

    /// Whether a key is as many unhardened steps deep as ours, and at the same index.
    private static func stands(_ path: DerivationPath, beside own: CardPath) -> Bool {
        func normalSteps(_ path: DerivationPath) -> Int { path.steps.reversed().prefix { !$0.isHardened }.count }
        return normalSteps(own.path) == 2 && normalSteps(path) == 2 && path.steps.last == own.path.steps.last
    }

    /// Why an output with so many keys that nothing proves is not known to be change.
    static func unprovenKeys(_ count: Int, of total: Int) -> String {
        "\(count) of its \(total.counted("key")) "
            + "\(count == 1 ? "is only claimed as a cosigner's" : "are only claimed as cosigners'"): "
            + "the PSBT has no matching extended keys that all of the card's inputs prove"
    }
}
