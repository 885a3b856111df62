import Bitcoin
import TapProtocol

/// Signing when the card is lost.
extension CardManager {
    /// Signs a PSBT with the key in a backup, after the same checks and questions as with its card: the transaction is
    /// shown and confirmed, then the backup key is asked for (`Interaction.backupKey(for:after:)`), and anything worse that
    /// the keys in the backup show is confirmed again. This takes the key out of its card; it is hot from then on,
    /// which a notice reports (`Notice.keyIsHot`).
    ///
    /// If nothing is left to sign, the backup stays closed (`Notice.alreadySigned`), unless it has to confirm a registration.
    ///
    /// The signatures are stored like those of cards, so that another card can continue. But money matters more than a
    /// record: if the store cannot be read or written, there is only a notice.
    /// - Parameters:
    ///   - psbt: what to sign; stored signatures of the same transaction are added.
    ///   - ciphertext: the backup as the card gave it, or a file has it.
    ///   - network: the network whose address form is used; `nil`: the backup's.
    ///   - policy: what is allowed or forbidden in addition to the built-in checks.
    /// - Returns: the result, interrupted or not.
    /// - Throws: if nothing was signed: `FlowError`; `StoreError.contradiction` if it contradicts the stored
    ///   transaction; `ErrorCode.wrongBackupKey`, `ErrorCode.badBackup`; and what the interaction threw.
    public nonisolated func sign(
        _ psbt: PSBT, withBackup ciphertext: EncryptedBackup, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SigningReport {
        let given = (try? store.addingSignatures(to: psbt)) ?? psbt
        let preview = SigningPreview(of: given, network: network, policy: policy, store: store)
        let shown = try preview.requireReview()
        do throws(StoreError) { try store.check(given) } catch {
            if case .contradiction = error { throw error }
        }
        guard !policy.requiresRegistration || !given.isFinalized else { throw FlowError.registrationUnconfirmed }
        guard policy.requiresRegistration || !SignatureTally(given).isComplete else {
            interaction.notice(.alreadySigned(informed(shown), preview.findings))
            return SigningReport(
                result: SigningResult(given, added: 0), plan: SigningPlan(showing: shown, preview.findings, of: given))
        }
        try await confirm(shown, preview.findings, for: .backup(nil), count: nil, .first)

        let backup = try await openBackup(ciphertext, for: .sign).backup
        let signer = BackupSigner(backup)
        interaction.notice(.keyIsHot(signer.fingerprint))
        if !backup.isPathWhole { interaction.notice(.backupCutOff) }
        let plan = try signer.prepare(given, network: network, policy: policy, store: store)
        try await confirm(plan, for: .backup(signer.fingerprint), after: preview)
        let (result, interruption) = signer.sign(plan)
        return SigningReport(
            result: result, plan: plan, interruption: interruption,
            isKept: result.added == 0 || keep(result, after: given, by: signer.fingerprint))
    }

    /// Stores the signatures that a backup's key added, as made for this store: who confirmed them is not asked about
    /// other payments again when the transaction is sent.
    /// - Parameter given: the PSBT before the key signed.
    /// - Returns: whether the signatures are stored.
    private nonisolated func keep(_ result: SigningResult, after given: PSBT, by signer: Fingerprint) -> Bool {
        let signed = result.signedPSBT
        do throws(StoreError) { try store.keep(signed, at: now) } catch {
            interaction.notice(.notKept(error))
            return false
        }
        for (index, (input, before)) in zip(signed.inputs, given.inputs).enumerated() {
            let earlier = Set(before.partialSignatures)
            for signature in input.partialSignatures where !earlier.contains(signature) {
                let made = StoredSignature(inputIndex: index, signature: signature, signer: signer)
                // They are stored already: without this, there is only one more question.
                try? store.add(made, to: signed.unsignedTransaction.id, at: now)
            }
        }
        return true
    }
}
