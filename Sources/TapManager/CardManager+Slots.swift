import Bitcoin
import ChainData
import TapProtocol

/// A SATSCARD's slots.
extension CardManager {
    /// Every slot, in order, as far as the card proves it.
    /// - Parameters:
    ///   - network: the network whose address form is used; `nil`: the card's.
    ///   - provingKeys: whether the card proves that it has the keys of unsealed slots, without revealing them; that
    ///     needs the CVC.
    /// - Throws: `FlowError`: `.wrongProduct`, `.notGenuine`, …; `CardSearchError.wrongNetwork`; with `provingKeys`
    ///   what the interaction throws.
    public nonisolated func slots(
        of card: CardAtHand, network: Network? = nil, provingKeys: Bool = false
    ) async throws -> [SlotReport] {
        try await lettingGo(of: card) { try await reports(of: card, network: network, provingKeys: provingKeys) }
    }

    /// The same, for a task that continues to use the card.
    nonisolated func reports(
        of card: CardAtHand, network: Network?, provingKeys: Bool = false
    ) async throws -> [SlotReport] {
        try CVCPurpose.showSlotKeys.requireProduct(of: card)
        let shown = try card.network(asked: network)
        let reports = try await looking(at: card, provingKeys: provingKeys) { (flow) async throws(FlowError) in
            try await flow.all()
        }
        return reports.map { $0.written(for: shown) }
    }

    /// The same with the private keys of unsealed slots, which are read from the card: anyone listening to the reader
    /// may learn the CVC. That is confirmed first (`Question.showSlotKeys`), then the CVC is asked for. If no slot is
    /// unsealed, there are no keys, and nothing is asked.
    /// - Throws: `FlowError`, `CardSearchError.wrongNetwork`, and what the interaction throws.
    public nonisolated func slotsWithKeys(of card: CardAtHand, network: Network? = nil) async throws -> [SlotReport] {
        try CVCPurpose.showSlotKeys.requireProduct(of: card)
        let shown = try card.network(asked: network)
        return try await lettingGo(of: card) {
            // The status that the card was found with may be old.
            let status = try await driver(for: card).perform { try $0.refreshStatus() }
            if let slots = status.slots, slots.active == 0, slots.total > 1 {
                return try await reports(of: card, network: network)
            }
            tellLockout(of: card)
            // Whether a slot is sealed is only the card's claim, which is not enough here.
            try await interaction.confirm(.showSlotKeys(card))
            return try await perform(.showSlotKeys, on: card, isLockoutTold: true) {
                (driver, cvc) async throws(FlowError) in
                try await SlotsFlow(driver: driver, takingKeysWith: cvc).all()
            }.result.map { $0.written(for: shown) }
        }
    }

    /// One slot with its address. If nothing proves that the slot is sealed, as the card claims, asks
    /// (`Question.showUnprovenAddress`) before returning its address.
    /// - Parameters:
    ///   - number: which slot; `nil`: the active one, which is the one to pay to.
    ///   - network: the network whose address form is used; `nil`: the card's.
    ///   - provingKeys: whether the card proves that it has an unsealed slot's key; that needs the CVC.
    /// - Throws: `FlowError`: `.slotUnused`, `.usedUp`, `.noSuchSlot`, `.tampered`, …; `CardSearchError.wrongNetwork`,
    ///   and what the interaction throws.
    public nonisolated func slot(
        _ number: SlotNumber? = nil, of card: CardAtHand, network: Network? = nil, provingKeys: Bool = false
    ) async throws -> (report: SlotReport, address: Address) {
        let product = card.status.product
        guard product == .satscard else { throw FlowError.wrongProduct(product, task: .showSlotAddress) }
        let shown = try card.network(asked: network)
        let report = try await lettingGo(of: card) {
            try await looking(at: card, provingKeys: provingKeys) { (flow) async throws(FlowError) in
                try await flow.one(number)
            }
        }
        guard let address = report.address else { throw FlowError.slotUnused(report.slot) }
        if report.state == .sealed, !report.isSealProven {
            try await interaction.confirm(.showUnprovenAddress(report.slot, card))
        }
        return (report.written(for: shown), address.written(for: shown))
    }

    /// The balances of slots' addresses, according to a chain server, which learns that they belong together. Their
    /// sweeps are marked as confirmed if they are in a block.
    /// - Parameter network: the addresses' network, whose server is asked.
    /// - Throws: `ErrorCode.noChainServer`; `ChainError`, `.liar` for more money than there is; why the store failed.
    public nonisolated func holdings(of slots: [SlotReport], on network: Network) async throws -> SlotHoldings {
        try await chain.during { servers in
            let source = try servers.required(.holdings, on: network)
            for address in slots.compactMap(\.address) where address.network != network {
                throw ChainError.wrongNetwork(found: ServerText(network.description), wanted: address.network)
            }
            let holdings = try await SlotHoldings(of: slots, from: source)
            try await noteSweeps(of: slots, from: source)
            return holdings
        }
    }

    /// Examines slots without a CVC and without asking, or with the card's.
    private nonisolated func looking<Result>(
        at card: CardAtHand, provingKeys: Bool, _ look: (SlotsFlow) async throws(FlowError) -> Result
    ) async throws -> Result {
        guard provingKeys else { return try await look(SlotsFlow(driver: driver(for: card), cvc: nil)) }
        return try await perform(.proveKeys, on: card) { (driver, cvc) async throws(FlowError) in
            try await look(SlotsFlow(driver: driver, cvc: cvc))
        }.result
    }
}
