import Bitcoin
import ExplainedErrors
import TapProtocol

/// The question whether to unseal a slot of a SATSCARD permanently, or to show the key of an unsealed one again.
///
/// While a key is shown again, anyone listening to the reader learns the CVC, or nearly all of it, and can use it to
/// unseal a slot that is still sealed. A front end must say so.
public struct UnsealingQuestion: Sendable {
    /// The card with the slot to unseal.
    public let card: CardAtHand
    /// What would be done.
    package let plan: UnsealPlan
    /// The complete address of the slot to unseal permanently, as the card has proven it, in the network's form; `nil`
    /// if none is: then the key of an unsealed slot is shown again.
    public let provenAddress: Address?
    /// Whether the card has also signed for the slot as a sealed one. Cards before version 1.0.0 cannot: then a counterfeit
    /// that relays to a genuine one could show another address.
    public let isSealProven: Bool
    /// The slot whose key is shown again, and its address in the network's form, both as the card claims; `nil` if a
    /// slot is unsealed permanently.
    package let shownAgain: (slot: SlotNumber, address: Address)?
    /// The balance of the slot's address.
    public let holding: Holding

    /// What a chain server reports about a slot's address.
    public enum Holding: Sendable {
        /// No server was asked.
        case notAsked
        /// The total amount and the unconfirmed part of it, according to the server of this name; `nil` if it reports no
        /// unconfirmed coins because it did not look for any.
        case amount(Amount, unconfirmed: Amount?, server: String)
        /// The server did not answer, or not properly; why.
        case unknown(any ExplainedError)
    }

    /// Whether an earlier unsealing, interrupted before the key was shown, is continued.
    package var isResumed: Bool {
        // The active slot itself is shown again if the card names it although it is unsealed.
        guard case .showAgain(let slots) = plan, card.status.address != nil else { return false }
        return slots.first != card.status.activeSlot
    }

    /// The slot; two if the card's status does not show which of them was unsealed last.
    public var slots: [SlotNumber] {
        switch plan {
        case .open(let slot, _): [slot]
        case .showAgain(let slots): slots
        }
    }
    /// Both ends of the address of the slot to unseal permanently; `nil` if there is none.
    package var address: TrimmedAddress? { if case .open(_, let address) = plan { address } else { nil } }
}
