import Bitcoin

/// Inputs that carry our fingerprint with a key that is not ours, not in the script, or out of the card's reach.
struct KeyClaimCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.claims.indices.flatMap { index in
            context.claims[index].compactMap { finding($0, input: index, in: context) }
                + taproot(input: index, in: context)
        }
    }

    private func finding(_ claim: KeyClaim, input index: Int, in context: SigningContext) -> Finding? {
        let subject = context.subject(input: index)
        let path = claim.derivation.path
        let isTaproot = context.script(index)?.signatureRules == .other
        switch claim.verdict {
        case .notInScript where isTaproot: return taproot(subject)
        case .notJudged where isTaproot: return nil
        case .holds: return isTaproot ? taproot(subject) : nil
        case .notJudged:
            return Finding(
                .refusal, .derivationMismatch, subject,
                "the PSBT calls more than \(KeyClaim.maximumFalseClaims) keys the card's that are not; the others were not "
                    + "looked at.")
        case .notSignable:
            return Finding(
                .warning, .pathNotSignable, subject,
                "the card cannot sign at \(path): it takes up to \(CardPath.maximumAccountDepth) hardened steps, "
                    + "then up to \(CardPath.maximumSubpathDepth) others. The input is left unsigned.")
        case .otherKey:
            return Finding(
                .refusal, .derivationMismatch, subject,
                "the PSBT says the card's key at \(path) is another than the card's.")
        case .notInScript:
            return Finding(
                .refusal, .keyNotInScript, subject,
                "the card's key at \(path) does not stand in the script that is spent.")
        }
    }

    private func taproot(input index: Int, in context: SigningContext) -> [Finding] {
        let isOurs = context.psbt.inputs[index].taprootDerivations.contains {
            $0.fingerprint == context.masterFingerprint
        }
        return isOurs && context.claims[index].isEmpty ? [taproot(context.subject(input: index))] : []
    }

    private func taproot(_ subject: Finding.Subject) -> Finding {
        Finding(
            .warning, .taprootInput, subject,
            "the card has no Schnorr signatures, so it cannot spend taproot. The input is left unsigned.")
    }
}
