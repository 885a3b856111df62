/// What happens at a simulated USB reader.
public enum USBReaderEvent: Sendable, Equatable {
    /// The host's end does not listen; the server keeps trying. Reported once per outage, with the system's reason.
    case waiting(String)
    /// The reader is plugged into a host.
    case connected
    /// The host's end closed the connection.
    case lost
    /// The host's end broke the protocol, or refuses the reader: the server hung up, with the reason.
    case refused(String)
    /// The reader was unplugged; the connection stays.
    case unplugged
    /// The reader was plugged in again.
    case pluggedIn
    /// The host powered the card.
    case activated
    /// The card was removed from the reader.
    case pulled
    /// A card was put on the reader.
    case laidDown
    /// The fault that was asked for happens now.
    case misbehaved(USBReaderFault.Kind)
    /// The card's file cannot be written; the command was undone.
    case cardFailed(SimulatedCardError)

    /// The same as a chip says it; `nil` for what happens to chips only.
    init?(_ event: PN532Event) {
        switch event {
        case .activated: self = .activated
        case .pulled: self = .pulled
        case .laidDown: self = .laidDown
        case .cardFailed(let error): self = .cardFailed(error)
        case .awake, .portFailed: return nil
        }
    }
}
