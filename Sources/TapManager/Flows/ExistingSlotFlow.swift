import Bitcoin
import TapProtocol

/// Finds out whether a SATSCARD's active slot is set up already, and proves it as after setting it up. Needs no CVC.
struct ExistingSlotFlow: Sendable {
    let driver: CardDriver
    /// The chain code that a slot without a key would get.
    let chainCode: ChainCode
    /// Whether the user gave the chain code, so that a slot that is set up already must have it.
    let isChainCodeNamed: Bool

    /// The active slot; `nil` if it has no key yet.
    ///
    /// Wire: `check`, `certs`, `read`, `derive`.
    /// - Throws: as `NextSlotFlow.run()`.
    func run() async throws(FlowError) -> NewSlot? {
        let found: NewSlot? = try await driver.performProven(
            task: .setUpSlot, on: [.satscard], isAllowed: Self.obstacle, usesCVC: false
        ) { session, proof in
            guard let slot = session.status.activeSlot else { throw FlowError.usedUp }
            return try slotWithKey(slot, on: session, proof)
        }
        if found != nil { try driver.journal.finish(.nextSlot) }
        return found
    }

    /// The same for a card that has just proven itself.
    func slotWithKey(_ slot: SlotNumber, on session: TapSession, _ proof: CardProof) throws -> NewSlot? {
        guard proof.activeSlot != nil else { return nil }
        guard let report = try session.activeSlotReport(proof, .looking), report.state == .sealed else {
            throw FlowError.usedUp
        }
        let earlier = isChainCodeNamed ? nil : try earlierChainCode(of: slot)
        let own = session.slotOrigin(slot)?.chainCode
        let isOurs = own == chainCode
        guard isOurs || !isChainCodeNamed else { throw FlowError.otherChainCode }
        guard isOurs || earlier == nil || own == earlier else {
            // Told once: the slot may have been set up elsewhere, and then nobody knows its chain code.
            try? driver.journal.finish(.nextSlot)
            throw FlowError.keyNotOurs
        }
        return NewSlot(report: report, hasOurChainCode: isOurs, hasEarlierChainCode: !isOurs && earlier != nil)
    }

    /// The chain code that the slot got in an interrupted run, according to the store.
    private func earlierChainCode(of slot: SlotNumber) throws(FlowError) -> ChainCode? {
        guard case .nextSlot(let state) = try driver.journal.unfinished(.nextSlot), state.slotIndex == slot.index
        else { return nil }
        return state.chainCode
    }

    /// Why a card in this state has no slot to set up.
    static func obstacle(_ status: CardStatus) -> FlowError? {
        status.isTampered ? .tampered : status.activeSlot == nil ? .usedUp : nil
    }
}
