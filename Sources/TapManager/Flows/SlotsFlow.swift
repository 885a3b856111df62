import TapProtocol

/// Shows a SATSCARD's slots: all of them, or one.
package struct SlotsFlow: Sendable {
    private let driver: CardDriver
    private let scrutiny: SlotScrutiny
    private var usesCVC: Bool { if case .looking = scrutiny { false } else { true } }

    /// A flow for one card; with its CVC, the card proves that it has the keys of unsealed slots, without revealing
    /// them.
    package init(driver: CardDriver, cvc: CVC?) {
        self.driver = driver
        scrutiny = cvc.map { .proving($0) } ?? .looking
    }

    /// A flow that reads the keys of unsealed slots, for a user who asked to see them. A listener who already knows one
    /// of them learns the CVC, which endangers a slot that is still sealed.
    ///
    /// Spec: protocol, "Who can forge what" (`dump`).
    package init(driver: CardDriver, takingKeysWith cvc: CVC) {
        self.driver = driver
        scrutiny = .takingKeys(cvc)
    }

    /// Every slot, in order.
    ///
    /// Wire: `read`, `check`, `certs`, `derive` for a sealed slot, and for every unsealed one `dump`, with the CVC also
    /// `sign` over random bytes.
    /// - Throws: `FlowError.wrongProduct`, `.notGenuine`, `.card` with the proof that failed.
    package func all() async throws(FlowError) -> [SlotReport] {
        let (scrutiny, events) = (scrutiny, driver.events)
        return try await driver.performProven(task: .showSlots, on: [.satscard], usesCVC: usesCVC) {
            session, proof in
            events(.lookingAtSlots)
            // The slots' states follow from the status at the time the card was proven.
            guard let slots = session.status.slots else { return [] }
            var reports: [SlotReport] = []
            for slot in (0..<slots.total).map(SlotNumber.init(index:)) {
                if Task.isCancelled { throw FlowError.interrupted }
                if slot.index < slots.active {
                    reports.append(try session.inactiveSlotReport(slot, scrutiny))
                } else if slot.index == slots.active, let report = try session.activeSlotReport(proof, scrutiny) {
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
    /// Wire: `read`, `check`, `certs`, `derive`; for an unsealed slot `dump`, and with the CVC `sign`, instead of
    /// `derive`.
    /// - Throws: `FlowError.usedUp` if every slot is unsealed and none was given, `.noSuchSlot`, `.tampered`,
    ///   `.wrongProduct`, ….
    package func one(_ slot: SlotNumber?) async throws(FlowError) -> SlotReport {
        let (scrutiny, events) = (scrutiny, driver.events)
        let obstacle: @Sendable (CardStatus) -> FlowError? = { status in
            if status.isTampered { return .tampered }
            guard let slot, let count = status.slots?.total, !(0..<count).contains(slot.index) else { return nil }
            return .noSuchSlot(slot, count: count)
        }
        return try await driver.performProven(
            task: .showSlotAddress, on: [.satscard], isAllowed: obstacle, usesCVC: usesCVC
        ) { session, proof in
            events(.lookingAtSlots)
            guard let asked = slot ?? session.status.activeSlot else { throw FlowError.usedUp }
            guard asked == session.status.activeSlot else {
                return try session.inactiveSlotReport(asked, scrutiny)
            }
            guard let report = try session.activeSlotReport(proof, scrutiny) else { throw FlowError.usedUp }
            // On some used-up cards, the last slot stays the active one.
            guard slot != nil || report.state != .unsealed else { throw FlowError.usedUp }
            return report
        }
    }
}
