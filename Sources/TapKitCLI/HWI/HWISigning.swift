import Bitcoin
import TapManager

/// Signs a PSBT for a caller that shows and asks nothing itself: what is signed is told on standard error, with what
/// speaks against it; what should not be signed is refused.
struct HWISigning {
    let session: HWISession

    /// The PSBT with the card's signatures that it asks for, not finalized, as HWI answers. What is stored besides (other
    /// signers' signatures, the card's own for inputs that this PSBT does not call the card's) is not given to the caller.
    /// - Throws: `HWIError`: `.invalidTransaction` with the reasons, ….
    func sign(_ psbt: PSBT) async throws -> PSBT {
        let purpose = HWIPurpose.signing(psbt, network: session.network)
        let found = try await session.found(for: purpose)
        let device = found.device
        let interaction = HWIInteraction(
            session.options, purpose: purpose, given: session.givenCVC(of: device), proven: found.card?.provenCVC)
        let manager = try session.options.manager(over: session.options.store(), interaction: interaction)
        let progress = ProgressLine(session.options, of: manager)
        interaction.progress.show(progress)
        var policy = SigningPolicy()
        policy.ignoresSignerNetwork = true

        let report: SigningReport
        do throws(Failure) {
            report = try await progress.during(anything: { [policy] in
                try await manager.sign(
                    psbt, on: device.access, expecting: device.fingerprint, network: session.network, policy: policy)
            })
        } catch {
            guard error.code == .nothingToSign else { throw error }
            session.note(error.message)
            return psbt
        }
        if let interruption = report.interruption {
            throw Failure(unexpected: interruption).prefixed(
                "\(report.extent.done) of \(report.extent.total) signed, kept in the local store. ",
                hint: "Sign the same transaction again to go on.")
        }
        guard let fingerprint = report.signers.first?.fingerprint else { return psbt }
        return psbt.takingSignatures(of: report.result.signedPSBT, askedOf: fingerprint)
    }
}
