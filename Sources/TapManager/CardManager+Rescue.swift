import Bitcoin
import TapProtocol

/// Signing when the card is lost.
extension CardManager {
    /// Signs a PSBT with the key in a decrypted backup, after the same checks and question as with its card. This takes
    /// the key out of its card; it is hot from then on, which a notice reports (`Notice.keyIsHot`).
    ///
    /// The signatures are stored like those of cards, so that another card can continue. But money matters more than a
    /// record: if the store cannot be read or written, there is only a notice.
    /// - Parameters:
    ///   - psbt: what to sign; stored signatures of the same transaction are added.
    ///   - backup: the decrypted backup, whose key signs.
    ///   - network: the network whose address form is used; `nil`: the backup's.
    ///   - policy: what is allowed or forbidden in addition to the built-in checks.
    /// - Returns: the result, interrupted or not. If nothing was left to sign, nothing was asked.
    /// - Throws: if nothing was signed: `FlowError`; `StoreError.contradiction` if it contradicts the stored
    ///   transaction; and what the interaction threw.
    public nonisolated func sign(
        _ psbt: PSBT, withBackup backup: Backup, network: Network? = nil, policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        let given = (try? store.addingSignatures(to: psbt)) ?? psbt
        let signer = BackupSigner(backup)
        interaction.notice(.keyIsHot(signer.fingerprint))
        if !backup.isPathWhole { interaction.notice(.backupCutOff) }
        let plan = try signer.prepare(given, network: network, policy: policy, store: store)
        do throws(StoreError) { try store.check(plan.psbt) } catch {
            if case .contradiction = error { throw error }
        }
        if plan.signatureCount > 0 {
            try await interaction.confirm(
                .signWithBackup(
                    signer.fingerprint, informed(plan.review), findings: plan.findings,
                    signatureCount: plan.signatureCount))
        }
        let (result, interruption) = signer.sign(plan)
        return SigningReport(
            result: result, plan: plan, interruption: interruption, isKept: result.added == 0 || keep(result))
    }

    /// - Returns: whether the signatures are stored.
    private nonisolated func keep(_ result: SigningResult) -> Bool {
        do throws(StoreError) {
            try store.keep(result.signedPSBT, at: now)
            return true
        } catch {
            interaction.notice(.notKept(error))
            return false
        }
    }
}
