import Bitcoin
import TapProtocol

/// What the user wants swept, and where to.
public struct SweepOrder: Sendable {
    /// The slots that a sweep empties.
    public enum Slots: Sendable, Equatable {
        /// Every unsealed one.
        case opened
        /// Every unsealed one, and the sealed one, which is unsealed permanently.
        case all
        /// This one; if it is sealed, it is unsealed permanently.
        case one(SlotNumber)
    }

    /// The slots to empty. A sealed one among them is unsealed permanently, once the user has agreed to the sweep.
    package var slots: Slots
    /// Where everything goes; its network is the one to sweep on.
    package let destination: Address
    /// The fee rate. A stored sweep is continued whatever its rate, unless a rate is given.
    package var fee: FeeChoice
    /// Whether to take unconfirmed coins, too, which their senders may still take back.
    package var takesUnconfirmed: Bool
    /// Whether to send the transaction at once, rather than only store it.
    package var isSent: Bool

    /// By default, the server's usual fee rate and confirmed coins only; the transaction is stored, not sent.
    /// - Parameters:
    ///   - slots: the ones to empty. A sealed one among them is unsealed permanently, once the user has agreed to the sweep.
    ///   - destination: where everything goes; its network is the one to sweep on.
    ///   - fee: a stored sweep is continued whatever its rate, unless a rate is given.
    ///   - takesUnconfirmed: whether to take unconfirmed coins, too, which their senders may still take back.
    ///   - isSent: whether to send the transaction at once, rather than only store it.
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
