import Bitcoin

/// What a card reports about itself without a CVC. None of it is proven; `TapSession.proveCard` proves the key.
///
/// Spec: protocol, "Commands" (`status`).
public struct CardStatus: Sendable, Hashable {
    /// The product according to the response's flags; only the certificates show whether it is genuine.
    public let product: CardProduct
    /// The applet's version, as the card gives it (`ver`).
    public let appletVersion: AppletVersion
    /// The block height when the card was made, according to the card: 700 000–999 999 on cards that follow the protocol,
    /// any number on others; `nil` if missing. Nothing proves it.
    public let birthHeight: Int?
    /// The card's own key, which identifies it and which its certificates certify. It never holds money.
    public let publicKey: PublicKey
    /// Whether the card is for the test networks.
    public let isTestnet: Bool
    /// Seconds left of the lockout after wrong CVCs, according to the card; 0 if there is none. Cards count down from
    /// 15; at most 4 294 967 295.
    public internal(set) var authDelaySeconds: Int
    /// The longest lockout that is believed, in seconds; cards are known to count down from 15.
    package static let longestAuthDelay = StatusCommand.usualAuthDelays.upperBound
    /// TAPSIGNER, SATSCHIP: the path below the master key; `nil` before a key is picked. 0–8 hardened steps if the card
    /// follows the protocol.
    public internal(set) var path: DerivationPath?
    /// TAPSIGNER: how many backups were made, according to the card; `nil` if missing. Cards count to 127.
    public let backupCount: Int?
    /// SATSCARD: the slots.
    public internal(set) var slots: Slots?
    /// SATSCARD: both ends of the active slot's address; `nil` if the slot is unused.
    public internal(set) var address: TrimmedAddress?
    /// Whether the card reports that it has been tampered with.
    public let isTampered: Bool

    /// A SATSCARD's slots, counted from 0 here as in the protocol, from 1 for people (`SlotNumber`).
    public struct Slots: Sendable, Hashable {
        /// The slot in use, or the next to be used; equals `total` on some full cards.
        public let active: Int
        /// The number of slots, 1–255; usually ten.
        public let total: Int

        /// The slot in use, or the next to be used; on a full card the last one.
        public var activeNumber: SlotNumber { SlotNumber(index: min(active, total - 1)) }
    }

    /// The card's identifier for people.
    public var ident: CardIdent { CardIdent(of: publicKey) }

    /// Which version bytes the card's extended keys carry.
    public var keyNetwork: KeyNetwork { isTestnet ? .test : .main }

    /// The network that the card claims to be for; all test networks except regtest share keys and addresses.
    public var network: Network { isTestnet ? .test : .main }

    /// SATSCARD: the slot in use, or the next to be used; `nil` after the last one of a full card.
    public var activeSlot: SlotNumber? {
        slots.flatMap { $0.active < $0.total ? SlotNumber(index: $0.active) : nil }
    }

    /// The address of a slot that has this key.
    ///
    /// Spec: BIP-141 (P2WPKH).
    func slotAddress(of key: PublicKey) -> Address? {
        Script.p2wpkh(keyHash: key.hash160).flatMap { Address(scriptPubKey: $0, network: network) }
    }

    /// Whether the visible ends of an address match the address of this key.
    func isSlotAddress(_ address: TrimmedAddress, of key: PublicKey) -> Bool {
        slotAddress(of: key).map(address.matches) ?? false
    }

    /// Whether a slot may be unsealed although it is the active one: on full cards of some versions the last slot stays
    /// active, with or without its address.
    public func mayHaveOpened(_ slot: SlotNumber) -> Bool {
        guard let slots else { return false }
        return slot.index == slots.active && slot.index == slots.total - 1
    }

    /// TAPSIGNER, SATSCHIP: whether a key has been picked.
    public var isSetUp: Bool { path != nil }

    /// Whether both agree in everything that never changes on one card.
    func hasConstantFacts(of other: CardStatus) -> Bool {
        product == other.product && appletVersion.text == other.appletVersion.text && birthHeight == other.birthHeight
            && isTestnet == other.isTestnet && slots?.total == other.slots?.total
    }
}
