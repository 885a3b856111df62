import Bitcoin

/// Extended keys and paths of a different network than the one to sign for.
///
/// Spec: BIP-44 (coin types; BIP-48, 49, 84, 86 and 87 have the same), BIP-32 (version bytes).
struct NetworkCheck: SigningCheck {
    private static let purposes: Set<UInt32> = [44, 48, 49, 84, 86, 87]

    func findings(in context: SigningContext) -> [Finding] {
        let foreignKeys = context.psbt.globalExtendedKeys.filter {
            $0.extendedPublicKey.map { $0.network != context.network.keyNetwork } ?? false
        }
        var findings = foreignKeys.prefix(1).map { key in
            Finding(
                .refusal, .networkMismatch, .transaction,
                "The PSBT's extended key of \(key.origin.fingerprint) is not for \(context.network).")
        }
        if let path = context.claims.lazy.joined().compactMap(\.proven?.path.account).first(where: {
            !fits($0, context.network)
        }) {
            findings.append(
                Finding(
                    .warning, .networkMismatch, .transaction,
                    "The path \(path) is not for \(context.network)."))
        }
        // Only a caller who chooses the network comes here with such keys; see `SigningPolicy.ignoresSignerNetwork`.
        if context.signerNetwork == .main, context.network != .main {
            findings.append(
                Finding(
                    .warning, .networkMismatch, .transaction,
                    "The signing keys are for bitcoin: what is shown for \(context.network) can be a real payment."))
        }
        return findings
    }

    private func fits(_ account: DerivationPath, _ network: Network) -> Bool {
        guard account.steps.count >= 2, Self.purposes.contains(account.steps[0].index), account.steps[1].index < 2
        else { return true }
        return (account.steps[1].index == 0) == (network == .main)
    }
}
