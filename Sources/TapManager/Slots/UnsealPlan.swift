import Bitcoin
import TapProtocol

/// What will be done, according to the card's status; the user must confirm it first.
package enum UnsealPlan: Sendable, Equatable {
    /// Unseal the active slot, whose address has these ends. If an earlier run unsealed it, its key is shown again.
    case open(SlotNumber, TrimmedAddress)
    /// No slot is sealed: show the key of the slot that was unsealed last again. It is the first of these that is
    /// unsealed; there are two if the status leaves open whether the card's last slot is unused or unsealed.
    case showAgain([SlotNumber])

    /// The plan for a card in this state.
    /// - Parameter unfinished: the slot that an interrupted run may have unsealed; its key is shown before another slot
    ///   is unsealed.
    /// - Throws: `FlowError.wrongProduct`, `.slotUnused` if nothing was ever sealed.
    package init(for status: CardStatus, unfinished: UnsealState? = nil) throws(FlowError) {
        guard let slots = status.slots else { throw .wrongProduct(status.product, task: .unsealSlot) }
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
