import Bitcoin

/// Who has signed a PSBT, what is missing, and who can help. Only counts signatures; making a plan verifies them.
public struct SignatureTally: Sendable, Hashable {
    /// Master fingerprints of those who have signed an input, in ascending order. Fingerprints are claims of the PSBT.
    public let signedBy: [Fingerprint]
    /// Master fingerprints of those who can sign an input that lacks signatures, in ascending order.
    public let canSign: [Fingerprint]
    /// Master fingerprints of those who can sign an input that lacks signatures on any open spending path, also one that is not
    /// the nearest to complete; in ascending order.
    let canHelp: [Fingerprint]
    /// Master fingerprints that the PSBT names for the inputs' keys, in ascending order, whether they can help or not.
    package let named: [Fingerprint]
    /// How many of the required signatures exist, in all inputs; scripts that are not understood do not count.
    package let present: Int
    /// How many signatures are missing, in all inputs; scripts that are not understood do not count.
    public let missing: Int
    /// Whether every input has all the signatures it needs.
    package let isComplete: Bool
    /// The most signatures that any input takes, on the spending path that is nearest to complete; at least 1.
    public let threshold: Int
    /// The inputs that lack signatures, in order.
    let openInputs: [OpenInput]
    /// Whether every script that needs signatures is understood, and has an open spending path.
    let isUnderstood: Bool

    /// An input that lacks signatures.
    struct OpenInput: Sendable, Hashable {
        /// The input's index, from 0.
        let index: Int
        /// How many signatures are missing.
        let missing: Int
        /// The keys that have signed.
        let signers: Set<[UInt8]>
        /// How many keys of each master fingerprint have not signed.
        let able: [Fingerprint: Int]
        /// What a policy misses, by groups of keys; `nil`: any key of the script will do.
        let groups: [Group]?
        /// Who has to sign still, where there are too many ways to list each; `nil`: the groups say it.
        let choice: SpendingPolicy<Signer>?

        /// Whose signature it is.
        enum Signer: Sendable, Hashable {
            /// It is there.
            case signed
            /// The holder of a master fingerprint.
            case holder(Fingerprint)
            /// The PSBT names nobody.
            case unknown
        }

        /// Whether there are more keys to choose from than signatures missing.
        let hasOtherWays: Bool

        /// Keys of which some have to sign still.
        struct Group: Sendable, Hashable {
            /// How many.
            let missing: Int
            /// All of the group's keys, signed or not.
            let keys: [ScriptKey]
            /// How many of them, of each master fingerprint, have not signed.
            let able: [Fingerprint: Int]
        }

        /// Whether these signers together can add every missing signature.
        func isCompleted(by signers: Set<Fingerprint>) -> Bool {
            func isEnough(_ able: [Fingerprint: Int], _ missing: Int) -> Bool {
                able.reduce(0) { $0 + (signers.contains($1.key) ? $1.value : 0) } >= missing
            }
            if let choice {
                return choice.isMet { signer in
                    switch signer {
                    case .signed: true
                    case .holder(let fingerprint): signers.contains(fingerprint)
                    case .unknown: false
                    }
                } knows: { _, _ in
                    false
                }
            }
            return groups?.allSatisfy { isEnough($0.able, $0.missing) } ?? isEnough(able, missing)
        }
    }

    /// Counts signatures. Linear in inputs and keys.
    package init(_ psbt: PSBT) {
        var signed: Set<Fingerprint> = []
        var able: Set<Fingerprint> = []
        var helping: Set<Fingerprint> = []
        var named: Set<Fingerprint> = []
        var (present, missing) = (0, 0)
        var isUnknown = false
        var threshold = 1
        var openInputs: [OpenInput] = []
        for (index, input) in psbt.inputs.enumerated() {
            let signatures = input.partialSignatures
            let signers = Set(signatures.map(\.publicKey))
            let derivations = input.derivations
            for derivation in derivations {
                named.insert(derivation.fingerprint)
                if signers.contains(derivation.publicKey) { signed.insert(derivation.fingerprint) }
            }
            let script = (try? psbt.spending(ofInput: index))?.script
            guard
                let need = script.flatMap({
                    SignatureNeed(
                        $0, signers: signers, locks: try? psbt.locks(ofInput: index), preimages: input.preimages)
                })
            else {
                if !input.isFinal { isUnknown = true }
                continue
            }
            threshold = max(threshold, need.needed)
            present += input.isFinal ? need.needed : need.needed - need.missing
            if input.isFinal || need.missing == 0 { continue }
            missing += need.missing
            let others = derivations.filter { !signers.contains($0.publicKey) && need.counts($0.publicKey) }
            let keys = Dictionary(others.map { ($0.fingerprint, 1) }) { $0 + $1 }
            let holders = Holders(others)
            let groups = need.groups?.map { group in
                OpenInput.Group(missing: group.missing, keys: group.keys, able: holders.counts(of: group.keys))
            }
            let signed = Set(signers.flatMap { [$0, ScriptKey.key($0).hash] })
            let choice = need.choice?.mapKeys { key -> OpenInput.Signer in
                if signed.contains(key.bytes) { return .signed }
                return holders.holder(of: key).map { .holder($0.fingerprint) } ?? .unknown
            }
            let unsigned = Set(need.choice?.keys.map(\.bytes) ?? []).subtracting(signed)
            openInputs.append(
                OpenInput(
                    index: index, missing: need.missing, signers: signers, able: keys, groups: groups, choice: choice,
                    hasOtherWays: unsigned.count > need.missing))
            able.formUnion(keys.keys)
            for derivation in derivations
            where !signers.contains(derivation.publicKey) && need.isOpen(to: derivation.publicKey) {
                helping.insert(derivation.fingerprint)
            }
        }
        signedBy = Self.sorted(signed)
        canSign = Self.sorted(able)
        canHelp = Self.sorted(helping)
        self.named = Self.sorted(named)
        self.present = present
        self.missing = missing
        isComplete = missing == 0 && !isUnknown
        self.threshold = threshold
        self.openInputs = openInputs
        isUnderstood = !isUnknown
    }

    /// Whether these signers together can add every missing signature.
    func isCompleted(by signers: Set<Fingerprint>) -> Bool {
        openInputs.allSatisfy { $0.isCompleted(by: signers) }
    }

    private static func sorted(_ fingerprints: Set<Fingerprint>) -> [Fingerprint] {
        fingerprints.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

/// Who has the keys of an input, by the keys and by the hashes of them.
private struct Holders {
    private var derivations: [[UInt8]: KeyDerivation] = [:]

    init(_ known: [KeyDerivation]) {
        for derivation in known {
            derivations[derivation.publicKey] = derivation
            derivations[ScriptKey.key(derivation.publicKey).hash] = derivation
        }
    }

    func holder(of key: ScriptKey) -> KeyDerivation? { derivations[key.bytes] }

    /// How many of some keys each has; a key counts once.
    func counts(of keys: [ScriptKey]) -> [Fingerprint: Int] {
        let held = Set(keys.compactMap { holder(of: $0)?.publicKey })
        return Dictionary(held.compactMap { derivations[$0].map { ($0.fingerprint, 1) } }) { $0 + $1 }
    }
}

extension PSBT {
    /// Inputs minus outputs, as the PSBT claims them; `nil` if an amount is missing or they do not add up.
    package var claimedFee: Amount? {
        let coins = inputs.indices.compactMap { try? spentOutput(ofInput: $0).amount }
        let paid = unsignedTransaction.outputs.compactMap(\.amount)
        guard coins.count == inputs.count, paid.count == outputs.count else { return nil }
        guard let spent = Amount.sum(coins), let sum = Amount.sum(paid) else { return nil }
        return spent.subtracting(sum)
    }
}
