import Bitcoin
import TapManager
import TapProtocol

/// Signs a PSBT for a caller that shows and asks nothing itself: what is signed is told on standard error, with what
/// speaks against it; what should not be signed is refused.
struct HWISigning {
    let session: HWISession
    let card: HWICard

    /// The PSBT with the card's signatures that it asks for, not finalized, as HWI answers. What is stored besides (other
    /// signers' signatures, the card's own for inputs that this PSBT does not call the card's) is not given to the caller.
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
        session.options.remember(
            card.device.access.status, fingerprint: preparation.isFingerprintProven ? preparation.fingerprint : nil)
        let flow = SignFlow(gate: gate, cvc: cvc)
        do {
            try card.requireKnown(preparation.fingerprint)
            try confirm(preparation.plan)
        } catch {
            await flow.abandon(preparation)
            throw error
        }
        let outcome = try await card.watched.progress.during { () throws(FlowError) in await flow.sign(preparation) }
        if let path = outcome.strandedPath {
            session.note("The card was left at path \(path); its own is \(preparation.originalPath) (tapkit derive).")
        }
        guard let interruption = outcome.interruption else {
            return psbt.takingSignatures(of: outcome.psbt, askedOf: preparation.fingerprint)
        }
        let (done, total) = (
            preparation.plan.presentCount + outcome.added,
            preparation.plan.presentCount + preparation.plan.signatureCount
        )
        throw Failure(interruption).prefixed(
            "\(done) of \(total) signed, kept in the local store. ", hint: "Sign the same transaction again to go on.")
    }

    /// Tells what is signed. Whoever typed the CVC saw whom the transaction pays; what speaks against it shows only now, and
    /// is asked about. What can lose money is asked about in any case: a CVC that was given beforehand answers nothing.
    /// - Throws: `Failure`: `.declined`; `.notAccepted` when nobody can be asked.
    private func confirm(_ plan: SigningPlan) throws(Failure) {
        let review = ReviewText(plan.review, findings: plan.findings)
        for line in review.lines { session.note(line) }
        guard plan.signatureCount > 0, !review.warningLines.isEmpty else { return }
        let losses = Acceptance.none.open(plan.findings)
        guard !losses.isEmpty || session.givenCVC(of: card.device) == nil else { return }
        try Confirmation.requireInWindow(
            "Sign it nevertheless with card \(card.label)?", reasons: review.warningLines, losses: losses)
    }
}
