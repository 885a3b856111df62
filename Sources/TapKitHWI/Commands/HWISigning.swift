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
        let candidates = try await session.candidates()
        var policy = SigningPolicy()
        policy.ignoresSignerNetwork = true

        let report: SigningReport
        do {
            report = try await session.work(among: candidates, to: "sign a transaction") { [policy] manager in
                if let wanted = candidates.unproven {
                    // Whom it pays is shown before a card is asked for its CVC, also to find out which card it is.
                    return try await manager.sign(
                        psbt, with: wanted, among: candidates.cards, network: session.network, policy: policy)
                }
                let device = candidates.first
                return try await manager.sign(
                    psbt, on: device.card, expecting: device.fingerprint, network: session.network, policy: policy)
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
                    "\(report.extent.done) of \(report.extent.total) signed, kept in the local store. ",
                    hint: "Sign the same transaction again to go on."))
        }
        guard let fingerprint = report.signers.first?.fingerprint else { return psbt }
        return psbt.takingSignatures(of: report.result.signedPSBT, askedOf: fingerprint)
    }
}
