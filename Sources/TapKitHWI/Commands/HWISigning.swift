import Bitcoin
import TapManager

/// Signs a PSBT for a caller that shows and asks nothing itself. The transaction and its warnings are shown on standard
/// error; what should not be signed is refused.
struct HWISigning {
    let session: HWISession

    /// The PSBT with the card's signatures that it asks for, not finalized, as in HWI. Other stored signatures (of
    /// other signers, or of the card for inputs that this PSBT does not assign to it) are not passed to the caller.
    /// - Parameter registrations: of wallets that the card registered.
    /// - Throws: `HWIError`: `.invalidTransaction` with the reasons, ….
    func sign(_ psbt: PSBT, knowing registrations: [RegistrationText] = []) async throws -> PSBT {
        let candidates = try await session.candidates()
        var policy = SigningPolicy()
        policy.ignoresSignerNetwork = true
        policy.registrations = registrations
        policy.requiresRegistration = !registrations.isEmpty

        let report: SigningReport
        do {
            report = try await session.work(among: candidates, to: "sign a transaction") { [policy] manager in
                try await manager.sign(psbt, by: candidates.meant, network: session.network, policy: policy)
            }
        } catch {
            let explanation = session.host.explain(error)
            guard explanation.code == .nothingToSign else { throw error }
            session.host.note(explanation.lines)
            return psbt
        }
        if let interruption = report.interruption {
            throw HWIError(
                session.host.explain(interruption).prefixed(
                    "\(report.extent.done) of \(report.extent.total) signed, saved in the local store. ",
                    hint: "Sign the same transaction again to continue."))
        }
        guard let fingerprint = report.signers.first?.fingerprint else { return psbt }
        return psbt.takingSignatures(of: report.result.signedPSBT, askedOf: fingerprint)
    }
}
