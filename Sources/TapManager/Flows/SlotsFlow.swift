import TapProtocol

/// Shows a SATSCARD's slots: all of them, or one.
public struct SlotsFlow: Sendable {
    private let gate: CardGate
    private let cvc: CVC?

    /// A flow for one card; with its CVC the keys of opened slots come along, and prove their addresses.
    public init(gate: CardGate, cvc: CVC?) {
        self.gate = gate
        self.cvc = cvc
    }

    /// Every slot, the first one first.
    ///
    /// Wire: `read`, `check`, `certs`, `derive` for a sealed slot, and one `dump` for every opened one.
    /// - Throws: `FlowError.wrongProduct`, `.notGenuine`, `.card` with the proof that failed.
    public func all() async throws(FlowError) -> [SlotReport] {
        let (cvc, events) = (cvc, gate.events)
        return try await gate.performProven(task: "show slots", on: [.satscard], usesCVC: cvc != nil) {
            session, proof in
            events(.lookingAtSlots)
            // The slots' states follow from the status as it was when the card was proven.
            guard let slots = session.status.slots else { return [] }
            var reports: [SlotReport] = []
            for slot in (0..<slots.total).map(SlotNumber.init(index:)) {
                if slot.index < slots.active {
                    reports.append(try session.inactiveSlotReport(slot, cvc: cvc))
                } else if slot.index == slots.active, let report = try session.activeSlotReport(proof, cvc: cvc) {
                    reports.append(report)
                } else {
                    reports.append(.unused(slot))
                }
            }
            return reports
        }
    }

    /// One slot; `nil`: the active one, which is the one to pay to.
    ///
    /// Wire: `read`, `check`, `certs`, `derive`; for an opened slot `dump` in place of `derive`.
    /// - Throws: `FlowError.usedUp` when every slot was opened and none was named, `.noSuchSlot`, `.tampered`,
    ///   `.wrongProduct`, ….
    public func one(_ slot: SlotNumber?) async throws(FlowError) -> SlotReport {
        let (cvc, events) = (cvc, gate.events)
        let obstacle: @Sendable (CardStatus) -> FlowError? = { status in
            if status.isTampered { return .tampered }
            guard let slot, let count = status.slots?.total, !(0..<count).contains(slot.index) else { return nil }
            return .noSuchSlot(slot, count: count)
        }
        return try await gate.performProven(
            task: "show a slot's address", on: [.satscard], isAllowed: obstacle, usesCVC: cvc != nil
        ) { session, proof in
            events(.lookingAtSlots)
            guard let asked = slot ?? session.status.activeSlot else { throw FlowError.usedUp }
            guard asked == session.status.activeSlot else {
                return try session.inactiveSlotReport(asked, cvc: cvc)
            }
            guard let report = try session.activeSlotReport(proof, cvc: cvc) else { throw FlowError.usedUp }
            // On some full cards the last slot stays the active one.
            guard slot != nil || report.state != .unsealed else { throw FlowError.usedUp }
            return report
        }
    }
}
