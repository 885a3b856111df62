import Bitcoin
import TapProtocol

/// What a flow is doing, as it happens. For people and programs that watch; no decision rests on it.
public enum FlowEvent: Sendable, Equatable {
    /// The card's certificates and its own key are being checked.
    case provingCard
    /// The certificates are checked; this root signed them, and the card is, or is not, known to be simulated.
    case proven(CertificateVerdict, isSimulated: Bool)
    /// The card is picking its key.
    case pickingKey
    /// The card is picking the key of a slot.
    case pickingSlotKey(SlotNumber)
    /// The card is being asked about its slots.
    case lookingAtSlots
    /// A slot is being opened, or an opened one's key fetched again.
    case openingSlot(SlotNumber)
    /// The card is being moved to a path.
    case changingPath(DerivationPath)
    /// The card is encrypting its backup.
    case backingUp
    /// The CVC is being changed.
    case changingCVC
    /// A message is being signed by this address.
    case signingMessage(Address)
    /// The security delay after wrong CVCs runs; so many seconds are left.
    case securityDelay(seconds: Int)
    /// So many signatures of so many are there, those of earlier runs included.
    case signed(done: Int, total: Int)
    /// The card is away; the flow waits for it.
    case waitingForCard(CardIdent)
    /// The reader was unplugged, or the service that owns it ended; the flow waits for reader and card.
    case waitingForReader(CardIdent)
    /// Another card was laid down in its place; the flow waits for the right one.
    case wrongCard(found: CardIdent, expected: CardIdent)
    /// What lies there does not answer as a tap card: it lies badly, or is something else. The flow waits for the right one.
    case unreadableCard(expected: CardIdent)
    /// The card is back.
    case cardReturned
}

/// Where a flow's events go. Called from the card's thread: it must not block.
package typealias FlowEvents = @Sendable (FlowEvent) -> Void
