/// A deliberate fault of a simulated chip.
public struct PN532Fault: Sendable, Equatable {
    /// The kind of fault.
    public enum Kind: String, Sendable, CaseIterable {
        /// The chip stays silent. From now on: it does not even acknowledge commands. At one exchange: the card gets
        /// the command and runs it, but there is no response.
        case silence
        /// The response has a wrong checksum.
        case checksum
        /// The response breaks off in the middle.
        case truncation
        /// An error frame instead of the response.
        case error
    }

    /// What goes wrong.
    public let kind: Kind
    /// The exchange with the card that it affects, counted from 1; `nil` means all.
    public let exchange: Int?

    /// A fault in everything, or in one exchange with the card.
    public init(_ kind: Kind, atExchange exchange: Int? = nil) {
        self.kind = kind
        self.exchange = exchange
    }

    /// The chip does not answer at all.
    public static let silent = Self(.silence)
    /// Every response has a wrong checksum.
    public static let wrongChecksum = Self(.checksum)

    /// The same fault in only one exchange with the card, counted from 1 when the fault is requested.
    public func at(exchange: Int) -> Self { Self(kind, atExchange: exchange) }
}
