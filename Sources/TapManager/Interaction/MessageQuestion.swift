import Bitcoin
import TapProtocol

/// The question whether a message is signed.
///
/// It moves no money, and it can prove to others what the owner of an address never said: where nobody can be asked, a front end may
/// let it pass, as for a script that was given the CVC; where somebody can, the message is shown first.
public struct MessageQuestion: Sendable {
    /// Which of the card's keys signs.
    public enum Key: Sendable, Equatable {
        /// TAPSIGNER, SATSCHIP: the one at this path, counted from the card's master key.
        case path(DerivationPath)
        /// SATSCARD: an opened slot's; `nil`: the one that was opened last.
        case slot(SlotNumber?)
    }

    /// The card that signs.
    public let signer: CardAtHand
    /// What is signed, byte for byte; UTF-8 as a rule. It may come from anybody: it is to be shown so that nothing in it can be taken
    /// for the front end's own words.
    public let message: [UInt8]
    /// The key that signs.
    public let key: Key
    /// The address that will be seen to have signed, where the card has proven its key to this store before; else `nil`: only with
    /// the CVC does it come out.
    public let address: Address?
}
