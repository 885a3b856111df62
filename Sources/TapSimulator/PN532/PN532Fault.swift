/// What a simulated chip does wrong on purpose.
public struct PN532Fault: Sendable, Equatable {
    /// What the chip does wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// The chip says nothing. From now on: not even that it took a command. At one exchange: the card gets the
        /// command and works, and the response does not come.
        case silence
        /// The checksum of the response is wrong.
        case checksum
        /// The response breaks off in the middle.
        case truncation
        /// An error frame in place of the response.
        case error
    }

    /// What the chip does wrong when the fault's turn comes.
    public let kind: Kind
    /// At which exchange with the card, counted from 1; `nil`: always.
    public let exchange: Int?

    /// A fault in everything, or at one exchange with the card.
    public init(_ kind: Kind, atExchange exchange: Int? = nil) {
        self.kind = kind
        self.exchange = exchange
    }

    /// The chip does not answer at all.
    public static let silent = Self(.silence)
    /// Every response has a wrong checksum.
    public static let wrongChecksum = Self(.checksum)

    /// The same fault at one exchange with the card only, counted from 1 when the fault was ordered.
    public func at(exchange: Int) -> Self { Self(kind, atExchange: exchange) }
}
