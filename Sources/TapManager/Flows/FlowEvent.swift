import Bitcoin
import TapProtocol

/// What a flow is doing at the moment. Only to be shown; no decision depends on it.
public enum FlowEvent: Sendable, Equatable {
    /// The card's certificates and its own key are being checked.
    case provingCard
    /// The certificates are checked; which root signed them, and whether the card is known to be simulated.
    case proven(CertificateVerdict, isSimulated: Bool)
    /// The card is picking its key.
    case pickingKey
    /// The card is picking the key of a slot.
    case pickingSlotKey(SlotNumber)
    /// The card is being asked about its slots.
    case lookingAtSlots
    /// A slot is being unsealed, or the key of an unsealed one is being fetched again.
    case openingSlot(SlotNumber)
    /// The card is being moved to a path.
    case changingPath(DerivationPath)
    /// The card is encrypting its backup.
    case backingUp
    /// The CVC is being changed.
    case changingCVC
    /// A message is being signed by this address.
    case signingMessage(Address)
    /// The lockout after wrong CVCs is running; this many seconds are left.
    case securityDelay(seconds: Int)
    /// How many signatures of how many exist, including those of earlier runs.
    case signed(done: Int, total: Int)
    /// The card was removed; the flow waits for it.
    case waitingForCard(CardIdent)
    /// The reader was unplugged, or the service that owns it ended; the flow waits for reader and card.
    case waitingForReader(CardIdent)
    /// Another card was put in its place; the flow waits for the right one.
    case wrongCard(found: CardIdent, expected: CardIdent)
    /// The card on the reader does not answer as a tap card: it is not positioned well, or is something else. The flow
    /// waits for the right one.
    case unreadableCard(expected: CardIdent)
    /// The card is back.
    case cardReturned
}

/// Receives a flow's events. Called from the card's thread: it must not block.
package typealias FlowEvents = @Sendable (FlowEvent) -> Void
