import CSecp256k1

extension ECDSASignature {
    /// The same signature with a low S; unchanged if S is already low.
    ///
    /// Spec: BIP-62 rule 5, BIP-146.
    public var withLowS: ECDSASignature {
        guard !hasLowS, var signature = parsed else { return self }
        var normalized = secp256k1_ecdsa_signature()
        _ = secp256k1_ecdsa_signature_normalize(CurveContext.shared, &normalized, &signature)
        return ECDSASignature(normalized)
    }
}
