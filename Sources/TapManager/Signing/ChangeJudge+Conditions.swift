import Bitcoin

extension ChangeJudge {
    /// Judges an output whose script is miniscript: it must say the same as the inputs', and each of its keys must come
    /// from the extended key that has the same place there.
    func conditionsVerdict(
        _ script: SpendingScript, _ miniscript: Miniscript<ScriptKey>, path: CardPath, ownKeys: Set<[UInt8]>,
        derivations: [KeyDerivation]
    ) -> ChangeVerdict {
        let origins = ConditionsPolicy.origins(of: miniscript, in: derivations)
        let policy = ConditionsPolicy(script, miniscript, origins: origins, ownKeys: ownKeys)
        guard policies.contains(.conditions(policy)) else {
            return .otherCosigners(
                "it can be spent by other keys or under other conditions than the inputs, or its keys are at other steps")
        }
        guard policies.count == 1 else {
            return .claimed(path, "some of the card's inputs can be spent by other keys or under other conditions")
        }
        var unproven = 0
        for (seat, origin) in origins.enumerated() where !policy.seats[seat].isOwn {
            let siblings = origins.count { $0?.fingerprint == origin?.fingerprint }
            switch origin.map({ cosigners.word(on: $0, siblings: siblings, at: path.subpath) }) {
            case .proven(let holder):
                guard seatHolders.holder(at: seat, by: cosigners, path.subpath) == holder else {
                    return .otherCosigners("one cosigner's key stands where another's stands in the inputs")
                }
            case .refuted:
                return .otherCosigners(
                    "one of its keys does not follow from its cosigner's extended key, which the inputs prove")
            case .some(.none), nil: unproven += 1
            }
        }
        guard unproven == 0 else { return .claimed(path, Self.unprovenKeys(unproven, of: origins.count)) }
        return .proven(path, unusual: accounts[path.account]?.unusual(path, script: script, stored: stored(path)))
    }

    /// Why an output with so many keys that nothing proves is not known to be change.
    static func unprovenKeys(_ count: Int, of total: Int) -> String {
        "\(count) of its \(total.counted("key")) "
            + "\(count == 1 ? "is only claimed as a cosigner's" : "are only claimed as cosigners'"): "
            + "the PSBT has no matching extended keys that all of the card's inputs prove"
    }
}
