import Bitcoin
import TapProtocol

/// The question whether to sign a message.
///
/// Signing moves no money, but can prove to others what the owner of an address never said. If nobody can be asked, a
/// front end may agree, as for a script that was given the CVC; otherwise it shows the message first.
public struct MessageQuestion: Sendable {
    /// Which of the card's keys signs.
    public enum Key: Sendable, Equatable {
        /// TAPSIGNER, SATSCHIP: the key at this path from the card's master key.
        case path(DerivationPath)
        /// SATSCARD: the key of an unsealed slot; `nil`: the one that was unsealed last.
        case slot(SlotNumber?)
    }

    /// The card that signs.
    public let signer: CardAtHand
    /// The message, byte for byte, usually UTF-8. Anyone may have written it: show it so that nothing in it can pass
    /// for the front end's own words.
    public let message: [UInt8]
    /// The key that signs.
    public let key: Key
    /// The address that the signature will belong to. TAPSIGNER, SATSCHIP: only if the card has proven its key to this
    /// store before; else `nil`, as it is not known without the CVC. SATSCARD: the slot's, according to the card, which
    /// proves it with the CVC before it signs; if it cannot, nothing is signed.
    public let address: Address?

    /// What the CVC is needed for after a yes.
    var purpose: CVCPurpose { .signMessage(message, by: key, address: address) }
}
