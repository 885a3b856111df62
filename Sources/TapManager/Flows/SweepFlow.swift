import Bitcoin
import TapProtocol

/// Signs a sweep with the keys of unsealed slots, which stay in the card.
///
/// Every signature is stored as soon as the card's answer is verified, so whatever ends the flow or the process, the
/// next run continues from there.
package struct SweepFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// Carries out the plan, whose transaction must be stored. Never throws: whatever happens, the outcome has what was
    /// signed. Each signature is verified, and its key is that of the slot's address.
    ///
    /// Wire: `read`, `check`, `certs`, one `sign` for each signature and each repeat after 205.
    package func sign(_ plan: SweepPlan) async -> SignFlow.Outcome {
        let collector = SweepCollector(plan.psbt)
        var interruption: FlowError?
        do throws(FlowError) {
            let (cvc, journal, events) = (cvc, driver.journal, driver.events)
            try await driver.performProven(task: .sweep, on: [.satscard], usesCVC: true) { session, _ in
                for item in plan.items where !collector.has(item.inputIndex) {
                    if Task.isCancelled { throw FlowError.interrupted }
                    let answer = try session.sign(
                        digest: item.digest, slot: item.slot, address: item.address, cvc: cvc)
                    let signature = StoredSignature(
                        inputIndex: item.inputIndex,
                        signature: PartialSignature(answer.signature, by: answer.publicKey),
                        signer: Fingerprint(of: answer.publicKey), isNamed: false)
                    collector.add(signature)
                    try journal.inStore { store throws(StoreError) in
                        try store.add(signature, to: plan.psbt.unsignedTransaction.id, at: journal.clock())
                    }
                    events(.signed(done: collector.done, total: plan.psbt.inputs.count))
                }
            }
        } catch { interruption = error }
        return SignFlow.Outcome(
            psbt: collector.psbt, added: collector.added, interruption: interruption, strandedPath: nil)
    }
}
