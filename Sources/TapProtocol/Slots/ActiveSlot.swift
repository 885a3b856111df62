import Bitcoin

/// A SATSCARD's active slot, as `read` and `check` prove it.
public struct ActiveSlot: Sendable, Hashable {
    /// What is known of the slot's seal.
    public enum Seal: Sendable, Hashable {
        /// The card signed the slot's key as that of a sealed slot.
        case proven
        /// The applet is older than 1.0.0, which cannot prove it; `dump` tells what the card claims.
        case unproven
        /// The card signed no slot's key: the slot was opened.
        case absent
    }

    /// The slot that the card hands out now, counted as the protocol does.
    public let slot: SlotNumber
    /// The slot's key, which the card holds.
    public let publicKey: PublicKey
    /// Its address, P2WPKH, both ends of which `status` shows.
    public let address: Address
    /// Whether it is known that nobody took the key out.
    public let seal: Seal
}

/// What a card proved of itself, without its CVC.
public struct CardProof: Sendable, Hashable {
    /// What the card said of itself when it was proven: another program may have moved it on since it was found.
    public let status: CardStatus
    /// Which root certified the card's key.
    public let verdict: CertificateVerdict
    /// SATSCARD whose active slot has a key: that slot.
    public let activeSlot: ActiveSlot?
}
