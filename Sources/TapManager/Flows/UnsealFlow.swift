import Bitcoin
import TapProtocol

/// Unseals a SATSCARD's slot, or fetches the key after an interrupted unsealing.
package struct UnsealFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// Proves the card and its slot, unseals the slot, and proves the key; the key of an unsealed slot comes from
    /// `dump`. If the answer to `unseal` is lost or damaged, `dump` fetches the key at once. Before a slot is dumped
    /// with the CVC, the card signs random bytes with its key, which it does for no sealed slot. So an impostor
    /// cannot learn the CVC while a slot is still sealed.
    ///
    /// Wire: `read`, `check`, `certs`, `unseal`; or `check`, `certs`, `dump`, `sign`, `dump` with the CVC.
    /// - Parameter address: the slot's complete address, if it is known; otherwise only the ends in the plan are
    ///   compared.
    /// - Throws: `FlowError.card` with `.badProof` before the slot is unsealed, including `.address` if the slot's
    ///   address is not the plan's; `.wrongCVC`, …; `.slotSealed` and `.slotUnused` if the slot's state is not the
    ///   plan's.
    package func run(_ plan: UnsealPlan, at address: Address? = nil) async throws(FlowError) -> UnsealedSlot {
        try await driver.journal.strikingOutRefused(.unseal) { () throws(FlowError) in
            try await carryOut(plan, at: address)
        }
    }

    private func carryOut(_ plan: UnsealPlan, at whole: Address?) async throws(FlowError) -> UnsealedSlot {
        let (cvc, journal, events) = (cvc, driver.journal, driver.events)
        return try await driver.performProven(task: .unsealSlot, on: [.satscard], usesCVC: true) { session, proof in
            switch plan {
            case .open(let slot, let address):
                events(.openingSlot(slot))
                // Checked again each time the step runs: the card may have unsealed the slot before a lost answer.
                guard let active = proof.activeSlot, active.slot == slot, active.seal != .absent else {
                    return try Self.fetch([slot], from: session, cvc: cvc) {
                        try Self.require($0, of: slot, toMatch: address, whole)
                    }
                }
                try Self.require(active.address, of: slot, toMatch: address, whole)
                try journal.record(.unseal(UnsealState(slotIndex: slot.index, address: address.description)))
                return try Self.open(active, on: session, cvc: cvc)
            case .showAgain(let candidates):
                candidates.first.map { events(.openingSlot($0)) }
                return try Self.fetch(candidates, from: session, cvc: cvc) { _ in }
            }
        }
    }

    private static func open(_ active: ActiveSlot, on session: TapSession, cvc: CVC) throws -> UnsealedSlot {
        do throws(TapError) {
            return result(try session.unseal(cvc: cvc), from: session, wasOpenedBefore: false)
        } catch {
            if case .wrongCVC = error {
                guard session.hasOpened(active.slot) else { throw error }
            } else {
                guard error.leavesSlotInDoubt else { throw error }
                try session.refreshStatus()
            }
            do {
                return try fetch([active.slot], from: session, cvc: cvc) { address in
                    guard address == active.address else {
                        throw TapError.badProof(
                            .address,
                            detail: "slot \(active.slot) had the address \(active.address), and now has \(address)")
                    }
                }
            } catch FlowError.slotSealed { throw error }
        }
    }

    /// The key of the first of these slots that is unsealed.
    /// - Parameter confirm: throws if an unsealed slot does not have the expected address.
    private static func fetch(
        _ slots: [SlotNumber], from session: TapSession, cvc: CVC, confirming confirm: (Address) throws -> Void
    ) throws -> UnsealedSlot {
        for slot in slots {
            switch try session.dump(slot) {
            case .unsealed(let address, _):
                try confirm(address)
                try session.probe(slot, at: address, cvc: cvc)
                guard case .opened(let opened) = try session.dump(slot, cvc: cvc), opened.address == address else {
                    throw TapError.badProof(.slotState, detail: "slot \(slot) was unsealed, but gives a different key")
                }
                return result(opened, from: session, wasOpenedBefore: true)
            case .sealed, .opened: throw FlowError.slotSealed(slot)
            case .unused: continue
            }
        }
        throw FlowError.slotUnused(slots.first ?? SlotNumber(index: 0))
    }

    private static func require(
        _ address: Address, of slot: SlotNumber, toMatch agreed: TrimmedAddress, _ whole: Address?
    ) throws {
        guard agreed.matches(address), whole.map({ $0.scriptPubKey == address.scriptPubKey }) ?? true else {
            let other = whole?.description ?? agreed.description
            throw TapError.badProof(
                .address, detail: "slot \(slot) has the address \(address), not \(other) as the card reported before")
        }
    }

    private static func result(_ opened: OpenedSlot, from session: TapSession, wasOpenedBefore: Bool) -> UnsealedSlot {
        let next = session.status.address == nil ? session.status.activeSlot : nil
        return UnsealedSlot(
            opened: opened, wasOpenedBefore: wasOpenedBefore, next: next.flatMap { $0 > opened.slot ? $0 : nil })
    }
}

extension TapSession {
    /// Whether the card has unsealed the slot although it refused the CVC: the command may have reached it twice. Whatever
    /// fails here does not hide the refusal, or the same CVC would be sent again.
    fileprivate func hasOpened(_ slot: SlotNumber) -> Bool {
        guard let active = status.slots?.active, active > slot.index || status.mayHaveOpened(slot) else { return false }
        if case .unsealed? = try? dump(slot) { return true }
        return false
    }
}

extension TapError {
    /// Whether the card may have unsealed the slot although its answer is useless, or unsealed it before.
    fileprivate var leavesSlotInDoubt: Bool {
        switch self {
        case .badProof, .badResponse: true
        case .card(let refusal, _): [.invalidState, .invalidCommand, .badArguments].contains(refusal.kind)
        default: false
        }
    }
}
