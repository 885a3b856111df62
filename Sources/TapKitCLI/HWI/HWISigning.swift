import Bitcoin
import TapManager
import TapProtocol

/// Signs a PSBT for a caller that shows and asks nothing itself: what is signed is told on standard error, with what
/// speaks against it; what should not be signed is refused.
struct HWISigning {
    let session: HWISession
    let card: HWICard

    /// The PSBT with the card's signatures, not finalized, as HWI answers.
    /// - Throws: `HWIError`: `.invalidTransaction` with the reasons, ….
    func sign(_ psbt: PSBT) async throws -> PSBT {
        var policy = SigningPolicy()
        policy.ignoresSignerNetwork = true
        let (gate, network) = (card.watched.gate, card.network)
        let (preparation, cvc): (SignFlow.Preparation, CVC)
        do {
            (preparation, cvc) = try await card.unlock { [policy] (cvc) async throws(FlowError) in
                try await SignFlow(gate: gate, cvc: cvc).prepare(psbt, network: network, policy: policy)
            }
        } catch {
            guard error.code == .nothingToSign else { throw error }
            session.note(error.message)
            return psbt
        }
        session.options.remember(card.device.access.status, fingerprint: preparation.fingerprint)
        for line in ReviewText(preparation.plan.review, findings: preparation.plan.findings).lines {
            session.note(line)
        }
        let flow = SignFlow(gate: gate, cvc: cvc)
        let outcome = try await card.watched.progress.during { () throws(FlowError) in await flow.sign(preparation) }
        if let path = outcome.strandedPath {
            session.note("The card was left at path \(path); its own is \(preparation.originalPath) (tapkit derive).")
        }
        guard let interruption = outcome.interruption else { return outcome.psbt }
        let (done, total) = (
            preparation.plan.presentCount + outcome.added,
            preparation.plan.presentCount + preparation.plan.signatureCount
        )
        throw Failure(interruption).prefixed(
            "\(done) of \(total) signed, kept in the local store. ", hint: "Sign the same transaction again to go on.")
    }
}
