import TapProtocol

extension SweepOrder.Slots {
    /// Refuses slots that a card cannot have swept, as far as its status shows without asking the card again. A status
    /// may be old, so this only decides which of two obstacles is named.
    /// - Throws: `FlowError`: `.noSuchSlot`, `.slotUnused`; `SweepError.noneOpened`.
    func require(of status: CardStatus) throws {
        guard let slots = status.slots else { return }
        switch self {
        case .one(let named):
            guard (0..<slots.total).contains(named.index) else {
                throw FlowError.noSuchSlot(named, count: slots.total)
            }
            guard named.index <= slots.active else { throw FlowError.slotUnused(named) }
        case .opened:
            guard slots.active > 0 || slots.total == 1 else { throw SweepError.noneOpened }
        case .all: break
        }
    }
}
