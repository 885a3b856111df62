import Bitcoin
import ChainData
import TapProtocol

/// Sweeping: sending everything in a SATSCARD's slots to an address, signed by the card, whose keys never leave it.
extension CardManager {
    /// Sends the money in slots of a card to an address, in one transaction.
    ///
    /// The slots are proven, and the chain server of the destination's network is asked for their coins; a stored sweep
    /// of an interrupted run is continued, or a new one planned. It is confirmed (`Question.sweep`), then the CVC is
    /// asked for; the transaction is stored, a sealed slot that is part of it is unsealed permanently, and the card
    /// signs. Every signature is stored as soon as it is verified: whatever ends this, the same order continues with
    /// what was signed.
    /// - Parameters:
    ///   - policy: the program's own rules.
    ///   - generator: the source of randomness for the order and the lock time of a new transaction.
    /// - Returns: the result, once the sweep was stored: interrupted or not, sent or not.
    /// - Throws: before that: `ErrorCode.noChainServer`, `ErrorCode.nothingToSweep`, `ErrorCode.slotOpened` for an
    ///   address whose key is known after the sweep, `ErrorCode.feeTooHigh`, …; `FlowError`, `ChainError`,
    ///   `StoreError`, `CardSearchError.wrongNetwork`, and what the interaction throws.
    public nonisolated func sweep(
        _ card: CardAtHand, _ order: SweepOrder, policy: SigningPolicy = SigningPolicy(),
        using generator: inout some RandomNumberGenerator
    ) async throws -> SweepReport {
        try CVCPurpose.requireSlots(of: card)
        let network = try card.network(asked: order.destination.network)
        return try await chain.during { servers in
            let source: any ChainSource
            do { source = try servers.required(.sweep, on: network) } catch {
                // Setting a server does not help a card that has no such slot.
                try order.slots.require(of: card.status)
                throw error
            }
            let choice = try SweepChoice(try await reports(of: card, network: network), order.slots)
            try choice.requireSafe(order.destination)
            let holdings = try await SlotHoldings(of: choice.slots, from: source)
            let found = try choice.found(holdings, takingUnconfirmed: order.takesUnconfirmed)
            if found.waiting > .zero { interaction.notice(.unconfirmedStay(found.waiting)) }
            let planned = try await SweepPlanning(manager: self, order: order, source: source, policy: policy)
                .plan(found.sources, using: &generator)
            return try await SweepRun(self, card, planned, opening: choice.sealed(in: planned.plan))
                .run(sendingTo: order.isSent ? source : nil)
        }
    }

    /// Has a card sign a stored sweep of its unsealed slots; no slot is unsealed, and no server is asked.
    /// - Parameters:
    ///   - network: the network whose address form is used; `nil`: the card's.
    ///   - policy: the program's own rules.
    /// - Returns: the result, once it was confirmed and the CVC given.
    /// - Throws: before that: `ErrorCode.nothingToSign` for another card, `FlowError`, `CardSearchError.wrongNetwork`,
    ///   and what the interaction throws.
    nonisolated func signSweep(
        _ stored: StoredTransaction, on card: CardAtHand, network: Network? = nil,
        policy: SigningPolicy = SigningPolicy()
    ) async throws -> SweepReport {
        // An imported transaction never passes for a sweep that was planned here.
        guard let stored = try store.transaction(stored.id), stored.isSweep else {
            throw SweepError.noSweep(stored.id)
        }
        try CVCPurpose.requireSlots(of: card)
        let network = try card.network(asked: network)
        let sources = try await reports(of: card, network: network).filter { $0.state == .unsealed }.compactMap {
            report in
            report.address.map { SweepPlan.Source(slot: report.slot, address: $0, coins: []) }
        }
        let plan: SweepPlan
        do throws(CreationError) {
            plan = try SweepPlan(resuming: stored.psbt, sources, network: network, policy: policy)
        } catch {
            guard case .notSpendable = error else { throw error }
            throw SweepError.otherCard
        }
        return try await SweepRun(self, card, SweepPlanning.Planned(plan: plan), opening: nil).run(sendingTo: nil)
    }
}
