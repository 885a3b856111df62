import Bitcoin

/// Who may spend a miniscript under which conditions: a change output must have the same policy as the inputs.
///
/// Keys are compared by their places in the script: whoever may spend alone after a year must not be the one who may
/// spend alone today.
///
/// Spec: threats, "The PSBT lies"; BIP-379.
struct ConditionsPolicy: Hashable, Sendable {
    /// A key's place in the script.
    struct Seat: Hashable, Sendable {
        /// Whose key it is claimed to be; `nil` without derivation.
        let cosigner: MultisigPolicy.Cosigner?
        /// Whether it is proven to be ours.
        let isOwn: Bool
        /// How far its branch is from that of the reference; `nil` without two unhardened steps, or at another index.
        let branchDistance: Int64?
    }

    let form: SpendingScript.Form
    /// The expression without its keys: operators, thresholds, locks and hashes.
    let skeleton: String
    /// In the order of the script.
    let seats: [Seat]
    /// The place of the first of our keys that is where wallets look: a policy can have another of our keys on a branch of
    /// its own. If there is none, of our first key; `nil` without any.
    let reference: Int?

    /// - Parameter ownKeys: the keys of the script that are proven to be ours.
    init(
        _ script: SpendingScript, _ miniscript: Miniscript<ScriptKey>, origins: [KeyDerivation?], ownKeys: Set<[UInt8]>
    ) {
        form = script.form
        skeleton = miniscript.skeleton
        let isOwn = origins.map { $0.map { ownKeys.contains($0.publicKey) } ?? false }
        let ownSeats = isOwn.indices.filter { isOwn[$0] }
        let reference =
            ownSeats.first { (origins[$0]?.path.branchAndIndex?.branch).map { $0 <= 1 } ?? false } ?? ownSeats.first
        self.reference = reference
        let own = reference.flatMap { origins[$0]?.path.branchAndIndex }
        seats = zip(origins, isOwn).map { origin, isOwn in
            Seat(
                cosigner: origin.map(MultisigPolicy.Cosigner.init), isOwn: isOwn,
                branchDistance: Self.distance(origin?.path.branchAndIndex, own))
        }
    }

    /// Where each key of an expression is claimed to come from, in the order of the script.
    static func origins(
        of miniscript: Miniscript<ScriptKey>, in derivations: [KeyDerivation]
    ) -> [KeyDerivation?] {
        var known: [[UInt8]: KeyDerivation] = [:]
        for derivation in derivations {
            known[derivation.publicKey] = derivation
            known[ScriptKey.key(derivation.publicKey).hash] = derivation
        }
        return miniscript.keys.map { known[$0.bytes] }
    }

    private typealias Place = (branch: UInt32, index: UInt32)

    private static func distance(_ place: Place?, _ own: Place?) -> Int64? {
        guard let place, let own, place.index == own.index else { return nil }
        return Int64(place.branch) - Int64(own.branch)
    }
}

extension DerivationPath {
    /// The last two steps, if both are unhardened.
    fileprivate var branchAndIndex: (branch: UInt32, index: UInt32)? {
        let last = steps.suffix(2)
        guard last.count == 2, last.allSatisfy({ !$0.isHardened }), let branch = last.first, let index = last.last
        else { return nil }
        return (branch.index, index.index)
    }
}
