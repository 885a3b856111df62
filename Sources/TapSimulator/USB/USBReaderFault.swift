/// A deliberate fault of a simulated USB reader, at one exchange with the card, or when the card is powered.
public struct USBReaderFault: Sendable, Equatable {
    /// The kind of fault. In all of them but `mutePower` and `unplug` the card gets the command and runs it.
    public enum Kind: String, Sendable, CaseIterable {
        /// The endpoint stalls instead of responding; the response is lost.
        case stall
        /// Only half of the response comes.
        case short
        /// All bytes of the response are wrong.
        case garbled
        /// There is no response.
        case silence
        /// The reader says that the card does not answer.
        case mute
        /// The card does not answer when the reader powers it, and stays mute until it is taken off the reader.
        case mutePower = "mute-power"
        /// The reader is unplugged while the card works.
        case unplug
    }

    /// What goes wrong.
    public let kind: Kind
    /// The exchange with the card that it affects, counted from 1 when the fault is requested; includes SELECT. For
    /// `mutePower`: the power-up that it affects, counted likewise.
    public let exchange: Int

    /// A fault at one exchange, or at one power-up of the card.
    public init(_ kind: Kind, atExchange exchange: Int) {
        self.kind = kind
        self.exchange = exchange
    }
}
