import Bitcoin
import TapProtocol

/// Signing when the card is lost.
extension CardManager {
    /// Signs a PSBT with the key in an opened backup, by the same checks and after the same question as with its card. The key
    /// leaves its card by this, and is hot from then on, which is told (`Notice.keyIsHot`).
    ///
    /// The signatures are kept as those of cards are, so that another card can go on. But money is worth more than a record:
    /// where the store cannot be read or written, that is told, and no more.
    /// - Parameters:
    ///   - psbt: what is signed; signatures that the store has of the same transaction are added.
    ///   - backup: the opened one, whose key signs.
    ///   - network: whose addresses are shown; `nil`: the backup's.
    ///   - policy: what is allowed or forbidden beyond the rules that always hold.
    /// - Returns: what came of it, interrupted or not. Where nothing was left to sign, nobody was asked.
    /// - Throws: when nothing was signed: `FlowError`; `StoreError.contradiction` with what is stored of the transaction; and
    ///   what the interaction threw.
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

    /// - Returns: whether the store has the signatures.
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
