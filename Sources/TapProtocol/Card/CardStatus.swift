import Bitcoin

/// What a card says of itself without a CVC. Nothing of it is proven; `TapSession.proveCard` proves the key.
///
/// Spec: protocol, "Commands" (`status`).
public struct CardStatus: Sendable, Hashable {
    /// The product by the flags of the answer; whether it is genuine, only its certificates tell.
    public let product: CardProduct
    /// The version of the applet, as the card writes it (`ver`).
    public let appletVersion: AppletVersion
    /// The block height when the card was made, as the card says: 700 000–999 999 on those that keep to the protocol, and
    /// any number on others; `nil` when it says none. Nothing proves it.
    public let birthHeight: Int?
    /// The card's own key, by which it is known and which its certificates are about. Not a key for money.
    public let publicKey: PublicKey
    /// Whether the card is one for the test networks.
    public let isTestnet: Bool
    /// Seconds of security delay that are left after wrong CVCs, as the card says; 0 when there is none. Cards count down
    /// from 15; at most 4 294 967 295.
    public internal(set) var authDelaySeconds: Int
    /// TAPSIGNER, SATSCHIP: the path below the master key; `nil` before a key was picked. 0–8 hardened steps, if the card
    /// keeps to the protocol.
    public internal(set) var path: DerivationPath?
    /// TAPSIGNER: how often a backup was made, as the card says; `nil` when it says nothing of it. Cards count to 127.
    public let backupCount: Int?
    /// SATSCARD: the slots.
    public internal(set) var slots: Slots?
    /// SATSCARD: both ends of the active slot's address; `nil` when the slot is unused.
    public internal(set) var address: TrimmedAddress?
    /// Whether the card says that it has been tampered with.
    public let isTampered: Bool

    /// A SATSCARD's slots; counted from 0 here as in the protocol, from 1 for people (`SlotNumber`).
    public struct Slots: Sendable, Hashable {
        /// The slot in use, or the next to be used; equal to `total` on some full cards.
        public let active: Int
        /// How many there are, 1–255; ten as a rule.
        public let total: Int

        /// The slot in use, or the next to be used; on a full card the last one.
        public var activeNumber: SlotNumber { SlotNumber(index: min(active, total - 1)) }
    }

    /// The card's name for people.
    public var ident: CardIdent { CardIdent(of: publicKey) }

    /// Which version bytes the card's extended keys carry.
    public var keyNetwork: KeyNetwork { isTestnet ? .test : .main }

    /// The network that the card says it is for; every test network has the same keys and addresses but regtest.
    public var network: Network { isTestnet ? .test : .main }

    /// SATSCARD: the slot in use, or the next to be used; `nil` behind the last one of a full card.
    public var activeSlot: SlotNumber? {
        slots.flatMap { $0.active < $0.total ? SlotNumber(index: $0.active) : nil }
    }

    /// The address of a slot with this key.
    ///
    /// Spec: BIP-141 (P2WPKH).
    func slotAddress(of key: PublicKey) -> Address? {
        Script.p2wpkh(keyHash: key.hash160).flatMap { Address(scriptPubKey: $0, network: network) }
    }

    /// Whether the visible ends of an address are those of this key's.
    func isSlotAddress(_ address: TrimmedAddress, of key: PublicKey) -> Bool {
        slotAddress(of: key).map(address.matches) ?? false
    }

    /// Whether a slot may be an opened one although it is the active one: on full cards of some versions the last slot
    /// stays so, with its address or without.
    public func mayHaveOpened(_ slot: SlotNumber) -> Bool {
        guard let slots else { return false }
        return slot.index == slots.active && slot.index == slots.total - 1
    }

    /// TAPSIGNER, SATSCHIP: whether a key was picked.
    public var isSetUp: Bool { path != nil }

    /// Whether what never changes on one card is the same in both.
    func hasConstantFacts(of other: CardStatus) -> Bool {
        product == other.product && appletVersion.text == other.appletVersion.text && birthHeight == other.birthHeight
            && isTestnet == other.isTestnet && slots?.total == other.slots?.total
    }
}
