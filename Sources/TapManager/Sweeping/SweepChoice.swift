import Bitcoin
import TapProtocol

/// Which slots of a SATSCARD to sweep, and whether that is possible. Pure.
struct SweepChoice {
    /// The slots to empty.
    let slots: [SlotReport]
    /// Addresses of the card that others may take money from, now or after the sweep.
    private let knownScripts: Set<Script>

    /// What is swept, and what is not.
    struct Found {
        let sources: [SweepPlan.Source]
        /// What is unconfirmed and left behind.
        let waiting: Amount
    }

    /// - Parameter reports: for every slot.
    /// - Throws: `FlowError`: `.noSuchSlot`, `.slotUnused`; `SweepError.noneOpened`.
    init(_ reports: [SlotReport], _ wanted: SweepOrder.Slots) throws {
        switch wanted {
        case .one(let named):
            guard let report = reports.first(where: { $0.slot == named }) else {
                throw FlowError.noSuchSlot(named, count: reports.count)
            }
            guard report.address != nil else { throw FlowError.slotUnused(named) }
            slots = [report]
        case .opened: slots = reports.filter { $0.state == .unsealed }
        case .all: slots = reports.filter { $0.state != .unused }
        }
        guard !slots.isEmpty else {
            // A card that never had a key has no sealed slot either.
            if let first = reports.first, reports.allSatisfy({ $0.state == .unused }) {
                throw FlowError.slotUnused(first.slot)
            }
            throw SweepError.noneOpened
        }
        let known = reports.filter { $0.state == .unsealed } + slots
        knownScripts = Set(known.compactMap { $0.address?.scriptPubKey })
    }

    /// Refuses an address whose key is known after the sweep.
    /// - Throws: `CreationError.opensDestination`.
    func requireSafe(_ destination: Address) throws(CreationError) {
        guard !knownScripts.contains(destination.scriptPubKey) else { throw .opensDestination(destination) }
    }

    /// The sealed slot, if a plan empties it: it will be unsealed permanently.
    func sealed(in plan: SweepPlan) -> SlotReport? {
        slots.first { $0.state == .sealed && plan.slots.contains($0.slot) }
    }

    /// The coins to take from the slots.
    /// - Parameter holdings: their balances, in order.
    /// - Throws: `SweepError`: `.nothingThere`, `.onlyUnconfirmed`.
    func found(_ holdings: SlotHoldings, takingUnconfirmed: Bool) throws(SweepError) -> Found {
        var sources: [SweepPlan.Source] = []
        for (report, holding) in zip(slots, holdings.slots) {
            let coins = holding.coins.filter { $0.height != nil || takingUnconfirmed }
            guard let address = report.address, !coins.isEmpty else { continue }
            sources.append(SweepPlan.Source(slot: report.slot, address: address, coins: coins))
        }
        let left = takingUnconfirmed ? [] : holdings.slots.compactMap(\.unconfirmed)
        let waiting = Amount.sum(left) ?? holdings.total
        guard !sources.isEmpty else {
            let seesUnconfirmed = holdings.slots.allSatisfy { $0.unconfirmed != nil }
            throw waiting > .zero
                ? .onlyUnconfirmed(waiting)
                : .nothingThere(server: holdings.server, seesUnconfirmed: seesUnconfirmed)
        }
        return Found(sources: sources, waiting: waiting)
    }
}
