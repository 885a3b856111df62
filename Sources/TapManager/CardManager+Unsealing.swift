import Bitcoin
import ExplainedErrors
import TapProtocol

/// A SATSCARD's slot that was opened, and what was done besides.
public struct Unsealing: Sendable {
    /// The opened slot with its keys.
    public let result: UnsealedSlot
    /// The slot that was set up behind it; `nil`: none was.
    public let nextSlot: NewSlot?
}

/// Opening the slots of SATSCARDs.
extension CardManager {
    /// Opens a SATSCARD's active slot for good, or shows the key of an opened one once more: of one whose opening was
    /// interrupted, or where none is sealed of the one that was opened last. What is to be done is confirmed before the CVC is
    /// asked for.
    /// - Parameters:
    ///   - offersNextSlot: whether somebody is asked to set up the next slot, unless the card was tampered with. That is
    ///     done with the CVC that the card took.
    ///   - show: shows the key. Only when it returns the opening is done: what it throws, or the end of the process, leaves
    ///     it unfinished, so that the next call shows the key again.
    /// - Throws: `FlowError`: `.slotUnused` when nothing was ever sealed; `.card` with `.badProof` before the slot is opened;
    ///   `.slotSealed` when the slot is not what was confirmed; …; what `show` and the interaction throw.
    public nonisolated func unseal(
        _ card: CardAtHand, offeringNextSlot offersNextSlot: Bool = false,
        show: (UnsealedSlot) async throws -> Void
    ) async throws -> Unsealing {
        try await lettingGo(of: card) {
            try CVCPurpose.openSlot.requireProduct(of: card)
            let journal = driver(for: card).journal
            let plan = try Self.unsealingPlan(for: card.status, journal)
            try await interaction.confirm(.unseal(UnsealingQuestion(card: card, plan: plan)))
            let (result, cvc) = try await perform(.openSlot, on: card) { driver, cvc in
                try await UnsealFlow(driver: driver, cvc: cvc).run(plan)
            }
            try await show(result)
            do throws(FlowError) { try journal.finish(.unseal) } catch {
                interaction.notice(.openingNotKept(card, error))
            }
            guard offersNextSlot, !result.opened.isTampered, let next = result.next,
                try await isGranted(.setUpNextSlot(card, next))
            else { return Unsealing(result: result, nextSlot: nil) }
            return Unsealing(result: result, nextSlot: try await setUpNextSlot(of: card, cvc: cvc))
        }
    }

    /// What is to be done with a card in this state, after an interrupted run above all.
    private static func unsealingPlan(
        for status: CardStatus, _ journal: FlowJournal
    ) throws(FlowError) -> UnsealPlan {
        guard case .unseal(let state) = try journal.unfinished(.unseal) else {
            return try UnsealPlan(for: status)
        }
        return try UnsealPlan(for: status, unfinished: state)
    }

    /// Asks about something that is only offered: a no is an answer, and so is that there is nobody to ask.
    private nonisolated func isGranted(_ offer: Question) async throws -> Bool {
        do {
            try await interaction.confirm(offer)
            return true
        } catch let error as any ExplainedError where [.declined, .confirmationNeeded].contains(error.code) {
            return false
        }
    }
}
