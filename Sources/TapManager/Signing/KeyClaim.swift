import Bitcoin

/// A derivation in a PSBT with our fingerprint, and whether it is true. The fingerprint alone proves nothing.
struct KeyClaim: Sendable, Hashable {
    /// The result for a claim.
    enum Verdict: Sendable, Hashable {
        /// The key is the card's at this path, and the script that is executed names it.
        case holds(CardPath, PublicKey)
        /// The card cannot sign at this path.
        case notSignable
        /// The card has a different key at the path.
        case otherKey
        /// The key is the card's, but the script does not name it.
        case notInScript
        /// Not checked, like all that follow: `maximumFalseClaims` were false already.
        case notJudged
    }

    /// How many false claims of one input or output are checked. Honest PSBTs have none, a single one prevents signing,
    /// and each may cost two derivations.
    static let maximumFalseClaims = 16

    let derivation: KeyDerivation
    let verdict: Verdict

    /// Judges the derivations of one input or output that have the fingerprint of `keys`.
    /// - Parameter script: the parsed script; `nil` if that failed, which another check reports.
    static func judge(
        _ derivations: [KeyDerivation], script: SpendingScript?, keys: inout SignerKeys
    ) -> [KeyClaim] {
        var claims: [KeyClaim] = []
        var falseClaims = 0
        for derivation in derivations where derivation.fingerprint == keys.masterFingerprint {
            guard falseClaims < maximumFalseClaims else {
                claims.append(KeyClaim(derivation: derivation, verdict: .notJudged))
                break
            }
            let verdict = verdict(derivation, script: script, keys: &keys)
            if verdict == .otherKey || verdict == .notInScript { falseClaims += 1 }
            claims.append(KeyClaim(derivation: derivation, verdict: verdict))
        }
        return claims
    }

    private static func verdict(
        _ derivation: KeyDerivation, script: SpendingScript?, keys: inout SignerKeys
    ) -> Verdict {
        guard let path = CardPath(derivation.path) else { return .notSignable }
        guard let key = keys.publicKey(at: path), key.bytes == derivation.publicKey else { return .otherKey }
        guard script?.names(publicKey: key.bytes) ?? true else { return .notInScript }
        return .holds(path, key)
    }

    /// The key and its path, if the claim is true.
    var proven: (path: CardPath, key: PublicKey)? {
        guard case .holds(let path, let key) = verdict else { return nil }
        return (path, key)
    }
}
