import Bitcoin
import TapProtocol

/// Sets up a SATSCARD's next slot: the card picks a key with the host's chain code, and proves it.
package struct NextSlotFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC
    private let existing: ExistingSlotFlow

    /// A flow for one card and its CVC.
    /// - Parameters:
    ///   - chainCode: 32 bytes, drawn by the host so that the card cannot choose its key alone.
    ///   - isChainCodeNamed: whether the user gave the chain code, so that a slot that is set up already must have it.
    package init(driver: CardDriver, cvc: CVC, chainCode: ChainCode, isChainCodeNamed: Bool) {
        self.driver = driver
        self.cvc = cvc
        existing = ExistingSlotFlow(driver: driver, chainCode: chainCode, isChainCodeNamed: isChainCodeNamed)
    }

    /// Sets up the active slot, if it is unused, and proves it. If it is run again, it proves the slot that is already
    /// set up; after an interruption, a slot that has its key must have the chain code that it was given then.
    ///
    /// Wire: `check`, `certs`, `new`, `status`, `read`, `check`, `derive`.
    /// - Throws: `FlowError.usedUp`, `.tampered`, `.otherChainCode`; `.keyNotOurs` if an interrupted run gave the card
    ///   another chain code than the slot has; `.notGenuine`, `.card`.
    package func run() async throws(FlowError) -> NewSlot {
        let result = try await driver.journal.strikingOutRefused(.nextSlot) { () throws(FlowError) in
            try await carryOut()
        }
        try driver.journal.finish(.nextSlot)
        return result
    }

    private func carryOut() async throws(FlowError) -> NewSlot {
        let (cvc, driver) = (cvc, driver)
        return try await driver.performProven(
            task: .setUpSlot, on: [.satscard], isAllowed: ExistingSlotFlow.obstacle, usesCVC: true
        ) { session, proof in
            guard let slot = session.status.activeSlot else { throw FlowError.usedUp }
            if let found = try existing.slotWithKey(slot, on: session, proof) { return found }
            // Not an earlier run's: anyone who can write to the store can have planted that.
            let chainCode = existing.chainCode
            if session.status.mayHaveOpened(slot) {
                guard try session.inactiveSlotReport(slot, .looking).state == .unused else { throw FlowError.usedUp }
            }
            let state = NextSlotState(slotIndex: slot.index, chainCode: chainCode)
            try driver.journal.record(.nextSlot(state))
            driver.events(.pickingSlotKey(slot))
            do throws(TapError) { try session.createSlotKey(chainCode: chainCode, cvc: cvc) } catch {
                // A reader's driver may send a command twice; then the card refuses it the second time.
                guard FlowError.card(error).isRefusalByCard, (try? session.refreshStatus())?.address != nil
                else { throw error }
            }
            guard let active = try session.proveCard(customRoots: []).activeSlot, active.seal != .absent else {
                throw TapError.badProof(.slotKey, detail: "the card did not sign the key of the new slot \(slot)")
            }
            try session.proveSlotOrigin(chainCode: chainCode)
            return NewSlot(report: .sealed(active), hasOurChainCode: true, hasEarlierChainCode: false)
        }
    }
}
