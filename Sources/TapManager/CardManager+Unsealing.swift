import Bitcoin
import ChainData
import ExplainedErrors
import TapProtocol

/// A SATSCARD's unsealed slot, and what else was done.
public struct Unsealing: Sendable {
    /// The unsealed slot with its keys, which were handed over to be shown.
    package let result: UnsealedSlot
    /// The slot that was set up next; `nil` if that was not requested or was declined, or if it was not offered: the
    /// card was tampered with, no slot is left, or the next one has a key already.
    public let nextSlot: NewSlot?
}

/// Unsealing slots of SATSCARDs.
extension CardManager {
    /// Unseals a SATSCARD's active slot permanently, or shows the key of an unsealed one again: of one whose unsealing
    /// was interrupted or, if none is sealed, of the one that was unsealed last. It is confirmed before the CVC is
    /// asked for, with the slot's complete address, which the card proves, and its balance, if there is a chain server.
    /// - Parameters:
    ///   - network: the network whose address form is used, and whose chain server is asked; `nil`: the card's.
    ///   - offersNextSlot: whether to ask about setting up the next slot, unless the card was tampered with. That is
    ///     done with the CVC that the card accepted.
    ///   - show: shows the key. The unsealing is finished only when it returns: if it throws, or the process ends, the
    ///     next call shows the key again.
    /// - Throws: `FlowError`: `.slotUnused` if nothing was ever sealed; `.card` with `.badProof` before the slot is
    ///   unsealed; `.slotSealed` if the slot is not what was confirmed; …; what `show` and the interaction throw.
    public nonisolated func unseal(
        _ card: CardAtHand, network: Network? = nil, offeringNextSlot offersNextSlot: Bool = false,
        show: (UnsealedSlot) async throws -> Void
    ) async throws -> Unsealing {
        try await lettingGo(of: card) {
            try CVCPurpose.openSlot.requireProduct(of: card)
            let journal = driver(for: card).journal
            let claimed = try Self.unsealingPlan(for: card.status, journal)
            let shown = try card.network(asked: network)
            tellLockout(of: card)
            let (plan, proven, isSealProven) = try await provenPlan(claimed, of: card)
            let address = proven?.written(for: shown)
            let again = try await shownAgain(plan, of: card).map { ($0.slot, $0.address.written(for: shown)) }
            let holding = await holding(at: address ?? again?.1)
            try await interaction.confirm(
                .unseal(
                    UnsealingQuestion(
                        card: card, plan: plan, provenAddress: address, isSealProven: isSealProven, shownAgain: again,
                        holding: holding)))
            let (result, cvc) = try await perform(.openSlot, on: card, isLockoutTold: true) { driver, cvc in
                try await UnsealFlow(driver: driver, cvc: cvc).run(plan, at: address)
            }
            try await show(result)
            do throws(FlowError) { try journal.finish(.unseal) } catch {
                interaction.notice(.openingNotKept(card, error))
            }
            guard offersNextSlot, !result.opened.isTampered, let next = result.next,
                try await isGranted(.setUpNextSlot(card, next))
            else { return Unsealing(result: result, nextSlot: nil) }
            let slot: NewSlot?
            do { slot = try await setUpNextSlot(of: card, cvc: cvc) } catch let error as any ExplainedError
                where error.code == .declined
            { slot = nil }
            return Unsealing(result: result, nextSlot: slot)
        }
    }

    /// A plan, and the complete address of the slot that it unseals permanently, as the card proves without its CVC. If
    /// that slot is unsealed already, its key is shown again.
    /// - Returns: without an address if no slot is unsealed permanently.
    /// - Throws: `FlowError`: `.card` with `.badProof` (`.address`) if it is not the plan's, `.notGenuine`, ….
    private nonisolated func provenPlan(
        _ plan: UnsealPlan, of card: CardAtHand
    ) async throws(FlowError) -> (plan: UnsealPlan, address: Address?, isSealProven: Bool) {
        guard case .open(let slot, let ends) = plan else { return (plan, nil, true) }
        return try await driver(for: card).performProven(task: .unsealSlot, on: [.satscard], usesCVC: false) {
            session, proof in
            guard let active = proof.activeSlot, active.slot == slot, try session.mayBeSealed(active) else {
                return (.showAgain([slot]), nil, true)
            }
            guard ends.matches(active.address) else {
                throw TapError.badProof(
                    .address,
                    detail: "slot \(slot) has the address \(active.address), not \(ends) as the card reported before")
            }
            return (plan, active.address, active.seal == .proven)
        }
    }

    /// The slot whose key a plan shows again, and its address, as the card claims without its CVC.
    /// - Returns: `nil` if the plan unseals a slot permanently, or no slot of the plan is unsealed.
    private nonisolated func shownAgain(
        _ plan: UnsealPlan, of card: CardAtHand
    ) async throws(FlowError) -> (slot: SlotNumber, address: Address)? {
        guard case .showAgain(let candidates) = plan else { return nil }
        return try await driver(for: card).performProven(task: .unsealSlot, on: [.satscard], usesCVC: false) {
            session, _ in
            for slot in candidates {
                if case .unsealed(let address, _) = try session.dump(slot) { return (slot, address) }
            }
            return nil
        }
    }

    /// The balance of an address. A server's failure does not prevent access to the key.
    private nonisolated func holding(at address: Address?) async -> UnsealingQuestion.Holding {
        guard let address else { return .notAsked }
        do {
            return try await chain.during { servers in
                guard let source = try servers.source(on: address.network) else { return .notAsked }
                let coins = try await source.coins(of: [address.scriptPubKey]).first ?? []
                let holding = try SlotHoldings.Holding(coins, from: source)
                return .amount(holding.total, unconfirmed: holding.unconfirmed, server: source.name)
            }
        } catch { return .unknown((error as? any ExplainedError) ?? FlowError(error)) }
    }

    /// What to do with a card in this state, especially after an interrupted run.
    private static func unsealingPlan(
        for status: CardStatus, _ journal: FlowJournal
    ) throws(FlowError) -> UnsealPlan {
        guard case .unseal(let state) = try journal.unfinished(.unseal) else {
            return try UnsealPlan(for: status)
        }
        return try UnsealPlan(for: status, unfinished: state)
    }

    /// Asks about something that is only an offer: a no is fine, and so is that nobody can be asked.
    private nonisolated func isGranted(_ offer: Question) async throws -> Bool {
        do {
            try await interaction.confirm(offer)
            return true
        } catch let error as any ExplainedError where [.declined, .confirmationNeeded].contains(error.code) {
            return false
        }
    }
}

extension TapSession {
    /// Whether the active slot may be sealed. If its seal cannot be proven, `dump` is asked about the last slot, which
    /// stays the active one on some full cards.
    fileprivate func mayBeSealed(_ active: ActiveSlot) throws -> Bool {
        guard active.seal == .unproven, status.mayHaveOpened(active.slot) else { return active.seal != .absent }
        if case .unsealed = try dump(active.slot) { return false }
        return true
    }
}
