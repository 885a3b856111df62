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
        /// How far its branch is from that of our first key; `nil` without two unhardened steps, or at another index.
        let branchDistance: Int64?
    }

    let form: SpendingScript.Form
    /// The expression without its keys: operators, thresholds, locks and hashes.
    let skeleton: String
    /// In the order of the script.
    let seats: [Seat]

    /// - Parameter ownKeys: the keys of the script that are proven to be ours.
    init(
        _ script: SpendingScript, _ miniscript: Miniscript<ScriptKey>, origins: [KeyDerivation?], ownKeys: Set<[UInt8]>
    ) {
        form = script.form
        skeleton = miniscript.skeleton
        let isOwn = origins.map { $0.map { ownKeys.contains($0.publicKey) } ?? false }
        let own = isOwn.firstIndex(of: true).flatMap { origins[$0]?.path.branchAndIndex }
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

/// Who has which place in the scripts of the inputs.
struct SeatHolders: Sendable {
    private var inputs: [[KeyDerivation?]] = []

    /// Learns from an input's script.
    mutating func learn(_ origins: [KeyDerivation?]) { inputs.append(origins) }

    /// Whether every input has this very key at a place: it does not depend on the address, and needs no further proof.
    func isFixed(_ publicKey: [UInt8], at seat: Int) -> Bool {
        !inputs.isEmpty && inputs.allSatisfy { $0.indices.contains(seat) && $0[seat]?.publicKey == publicKey }
    }

    /// The holder at a place; `nil` unless the same extended keys derive its key in every input.
    func holder(at seat: Int, by cosigners: CosignerKeys, _ place: DerivationPath) -> CosignerKeys.Holder? {
        var holders: Set<CosignerKeys.Holder> = []
        for origins in inputs {
            guard origins.indices.contains(seat), let origin = origins[seat],
                case .proven(let holder) = cosigners.word(on: origin, siblings: 1, at: place)
            else { return nil }
            holders.insert(holder)
        }
        return holders.count == 1 ? holders.first : nil
    }
}
