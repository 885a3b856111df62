import Bitcoin
import TapProtocol

/// The question whether a slot of a SATSCARD is opened for good, or the key of an opened one shown once more.
///
/// Whoever can listen to the reader while a key is shown once more learns the CVC, or nearly all of it, and with it opens a
/// slot that is still sealed: a front end must say so.
public struct UnsealingQuestion: Sendable {
    /// The card whose slot is to be opened.
    public let card: CardAtHand
    /// What would be done.
    package let plan: UnsealPlan
    /// The whole address of the slot that is opened for good, as the card has proven it and the network writes it; `nil` where none
    /// is opened.
    package let provenAddress: Address?
    /// What lies there.
    package let holding: Holding

    /// What a chain server says of a slot's address.
    package enum Holding: Sendable, Equatable {
        /// Nobody was asked.
        case notAsked
        /// So much, of which the second is unconfirmed, says the server of this name.
        case amount(Amount, unconfirmed: Amount, server: String)
        /// The server did not say: why.
        case unknown(String)
    }

    /// Whether an earlier opening was interrupted before the key was shown, and is gone on with.
    package var isResumed: Bool { if case .showAgain = plan { card.status.address != nil } else { false } }

    /// Whether a sealed slot is opened for good; else the key of an opened one is shown once more.
    public var opensForGood: Bool { if case .open = plan { true } else { false } }
    /// The slot; two where the card's status leaves open which of them was opened last.
    public var slots: [SlotNumber] {
        switch plan {
        case .open(let slot, _): [slot]
        case .showAgain(let slots): slots
        }
    }
    /// The ends of the address whose slot is opened for good; `nil` where none is.
    public var address: TrimmedAddress? { if case .open(_, let address) = plan { address } else { nil } }
}
