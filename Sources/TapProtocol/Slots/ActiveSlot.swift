import Bitcoin

/// A SATSCARD's active slot, as `read` and `check` prove it.
public struct ActiveSlot: Sendable, Hashable {
    /// What is known about the slot's seal.
    public enum Seal: Sendable, Hashable {
        /// The card signed the slot's key as the key of a sealed slot.
        case proven
        /// The applet is older than 1.0.0 and cannot prove it; `dump` shows what the card claims.
        case unproven
        /// The card signed no slot's key: the slot was unsealed.
        case absent
    }

    /// The slot in use, counted as the protocol does.
    public let slot: SlotNumber
    /// The slot's key, which the card holds.
    public let publicKey: PublicKey
    /// Its P2WPKH address, both ends of which `status` shows.
    public let address: Address
    /// Whether it is known that the key has never left the card.
    public let seal: Seal
}

/// What a card proved about itself, without its CVC.
public struct CardProof: Sendable, Hashable {
    /// The status at the time of the proof: another program may have changed the card since it was found.
    public let status: CardStatus
    /// Which root certified the card's key.
    public let verdict: CertificateVerdict
    /// SATSCARD whose active slot has a key: that slot.
    public let activeSlot: ActiveSlot?
}
