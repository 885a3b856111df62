import Bitcoin
import TapProtocol

/// Opens a SATSCARD's slot, or fetches the key of one whose opening was interrupted.
public struct UnsealFlow: Sendable {
    /// What is to be done, as far as the card's status tells; to be confirmed by the person before it is done.
    public enum Plan: Sendable, Equatable {
        /// The active slot is opened, whose address has these ends. If an earlier run opened it, its key is shown again.
        case open(SlotNumber, TrimmedAddress)
        /// No slot is sealed: the key of the slot that was opened last is shown again. It is the first of these that was
        /// opened; two where the status leaves open whether the card's last slot is unused or opened.
        case showAgain([SlotNumber])

        /// The plan for a card in this state.
        /// - Parameter unfinished: the slot that an interrupted run may have opened; its key is shown before another slot
        ///   is opened.
        /// - Throws: `FlowError.wrongProduct`, `.slotUnused` when nothing was ever sealed.
        public init(for status: CardStatus, unfinished: UnsealState? = nil) throws(FlowError) {
            guard let slots = status.slots else { throw .wrongProduct(status.product, task: "open a slot") }
            if let index = unfinished?.slotIndex, (0..<slots.total).contains(index), index < slots.active {
                self = .showAgain([SlotNumber(index: index)])
                return
            }
            if let active = status.activeSlot, let address = status.address {
                self = .open(active, address)
                return
            }
            let mayBeActive = status.activeSlot.map(status.mayHaveOpened) ?? false
            let candidates = (mayBeActive ? [slots.active] : []) + [slots.active - 1]
            guard candidates.contains(where: { $0 >= 0 }) else { throw .slotUnused(SlotNumber(index: 0)) }
            self = .showAgain(candidates.filter { $0 >= 0 }.map(SlotNumber.init(index:)))
        }
    }

    /// An opened slot.
    public struct Result: Sendable {
        /// Its keys, proven.
        public let opened: OpenedSlot
        /// Whether it was opened before this run.
        public let wasOpenedBefore: Bool
        /// The slot to be set up next; `nil` when this was the last one, or the next one has a key already.
        public let next: SlotNumber?
    }

    private let gate: CardGate
    private let cvc: CVC

    /// A flow for one card and its CVC.
    public init(gate: CardGate, cvc: CVC) {
        self.gate = gate
        self.cvc = cvc
    }

    /// Proves the card and its slot, opens the slot, and proves the key; an opened slot's key comes from `dump`. When the
    /// answer to `unseal` is lost or damaged, `dump` brings the key at once.
    ///
    /// Wire: `read`, `check`, `certs`, `unseal`; or `check`, `certs`, `dump`.
    /// - Throws: `FlowError.card` with `.badProof` before the slot is opened, `.address` among them when the slot's address
    ///   is not the plan's; `.wrongCVC`, …; `.slotSealed` and `.slotUnused` when the slot is not what the plan says.
    public func run(_ plan: Plan) async throws(FlowError) -> Result {
        try await gate.journal.strikingOutRefused(.unseal) { () throws(FlowError) in try await carryOut(plan) }
    }

    private func carryOut(_ plan: Plan) async throws(FlowError) -> Result {
        let (cvc, journal, events) = (cvc, gate.journal, gate.events)
        return try await gate.performProven(task: "open a slot", on: [.satscard], usesCVC: true) { session, proof in
            switch plan {
            case .open(let slot, let address):
                events(.openingSlot(slot))
                // Asked anew each time the step runs: before a lost answer the card may have opened the slot.
                guard let active = proof.activeSlot, active.slot == slot, active.seal != .absent else {
                    return try Self.fetch([slot], of: address, from: session, cvc: cvc)
                }
                try Self.require(active.address, of: slot, toMatch: address)
                try journal.record(.unseal(UnsealState(slotIndex: slot.index, address: address.description)))
                return try Self.open(slot, of: address, on: session, cvc: cvc)
            case .showAgain(let candidates):
                candidates.first.map { events(.openingSlot($0)) }
                return try Self.fetch(candidates, from: session, cvc: cvc)
            }
        }
    }

    private static func open(
        _ slot: SlotNumber, of address: TrimmedAddress, on session: TapSession, cvc: CVC
    ) throws -> Result {
        do throws(TapError) {
            return result(try session.unseal(cvc: cvc), from: session, wasOpenedBefore: false)
        } catch {
            guard error.leavesSlotInDoubt else { throw error }
            try session.refreshStatus()
            do {
                return try fetch([slot], of: address, from: session, cvc: cvc)
            } catch FlowError.slotSealed { throw error }
        }
    }

    /// The key of the first of these slots that was opened.
    /// - Parameter address: the one that the person agreed to, if there was one to show.
    private static func fetch(
        _ slots: [SlotNumber], of address: TrimmedAddress? = nil, from session: TapSession, cvc: CVC
    ) throws -> Result {
        for slot in slots {
            switch try session.dump(slot, cvc: cvc) {
            case .opened(let opened):
                if let address { try require(opened.address, of: slot, toMatch: address) }
                return result(opened, from: session, wasOpenedBefore: true)
            case .sealed, .unsealed: throw FlowError.slotSealed(slot)
            case .unused: continue
            }
        }
        throw FlowError.slotUnused(slots.first ?? SlotNumber(index: 0))
    }

    private static func require(_ address: Address, of slot: SlotNumber, toMatch agreed: TrimmedAddress) throws {
        guard agreed.matches(address) else {
            throw TapError.badProof(
                .address, detail: "slot \(slot) has the address \(address), and not \(agreed) as the card said before")
        }
    }

    private static func result(_ opened: OpenedSlot, from session: TapSession, wasOpenedBefore: Bool) -> Result {
        let next = session.status.address == nil ? session.status.activeSlot : nil
        return Result(
            opened: opened, wasOpenedBefore: wasOpenedBefore, next: next.flatMap { $0 > opened.slot ? $0 : nil })
    }
}

extension TapError {
    /// Whether the card may have opened the slot although its answer is worthless, or opened it before.
    fileprivate var leavesSlotInDoubt: Bool {
        switch self {
        case .badProof, .badResponse: true
        case .card(let refusal, _): [.invalidState, .invalidCommand, .badArguments].contains(refusal.kind)
        default: false
        }
    }
}
