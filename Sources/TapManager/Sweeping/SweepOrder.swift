import Bitcoin
import TapProtocol

/// What a person wants swept, and where to.
public struct SweepOrder: Sendable {
    /// Which slots are emptied.
    public enum Slots: Sendable, Equatable {
        /// Every opened one.
        case opened
        /// Every opened one, and the sealed one, which is opened for good.
        case all
        /// This one; if it is sealed, it is opened for good.
        case one(SlotNumber)
    }

    /// Which slots are emptied.
    public var slots: Slots
    /// Where everything goes; its network is the one that is swept on.
    public let destination: Address
    /// What is paid for the size. A stored sweep is gone on with at any rate, unless one is given.
    public var fee: FeeChoice
    /// Whether unconfirmed coins are taken, too: whoever paid them may still take them back.
    public var takesUnconfirmed: Bool
    /// Whether the transaction is sent at once, and not only stored.
    public var isSent: Bool

    /// An order.
    public init(
        _ slots: Slots, to destination: Address, fee: FeeChoice = .usual, takesUnconfirmed: Bool = false,
        isSent: Bool = false
    ) {
        self.slots = slots
        self.destination = destination
        self.fee = fee
        self.takesUnconfirmed = takesUnconfirmed
        self.isSent = isSent
    }
}
