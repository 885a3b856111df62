import Bitcoin

/// Inputs that give our fingerprint to a key that is not ours, not in the script, or out of the card's reach.
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
                "the PSBT falsely claims more than \(KeyClaim.maximumFalseClaims) keys to be the card's; the others "
                    + "were not checked.")
        case .notSignable:
            return Finding(
                .warning, .pathNotSignable, subject,
                "the card cannot sign at \(path): it supports up to \(CardPath.maximumAccountDepth) hardened steps, "
                    + "then up to \(CardPath.maximumSubpathDepth) unhardened ones. The input will stay unsigned.")
        case .otherKey:
            return Finding(
                .refusal, .derivationMismatch, subject,
                "the PSBT names a wrong key for the card at \(path).")
        case .notInScript:
            return Finding(
                .refusal, .keyNotInScript, subject,
                "the card's key at \(path) is not in the script that is spent.")
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
            "the card cannot make Schnorr signatures, so it cannot spend taproot. The input will stay unsigned.")
    }
}
