import Bitcoin
import TapProtocol

/// One slot of a SATSCARD, as far as the card proves it.
public struct SlotReport: Sendable {
    /// What can be done with a slot: receive money only while it is sealed.
    public enum State: String, Sendable {
        /// It has no key yet.
        case unused
        /// It has a key that nobody knows.
        case sealed
        /// Its key was read: anyone who saw it can spend.
        case unsealed
    }

    /// Which slot, counted from 1 when shown to people.
    public let slot: SlotNumber
    /// Proven for a sealed slot only if `isSealProven`; otherwise as the card claims.
    public let state: State
    /// Its complete address, in the form of the requested network; `nil` for an unused slot.
    public let address: Address?
    /// Whether the card proved that it has the address's key, or gave the key. False for what it only claims about
    /// unsealed slots without the CVC, and for a sealed slot whose key was not signed by the card's own, certified key:
    /// then someone who relays to a genuine card may answer with their own key, and claim that the version is an old
    /// one.
    public let isAddressProven: Bool
    /// Whether the card proved that nobody knows the key. False on versions before 1.0.0, which cannot.
    public let isSealProven: Bool
    /// The keys of an unsealed slot, if the CVC was given.
    public let opened: OpenedSlot?

    /// The same with the address in a network's form.
    func written(for network: Network) -> SlotReport {
        SlotReport(
            slot: slot, state: state, address: address?.written(for: network), isAddressProven: isAddressProven,
            isSealProven: isSealProven, opened: opened)
    }

    /// A slot without a key.
    static func unused(_ slot: SlotNumber) -> SlotReport {
        SlotReport(
            slot: slot, state: .unused, address: nil, isAddressProven: false, isSealProven: false, opened: nil)
    }

    /// An unsealed slot.
    static func unsealed(_ slot: SlotNumber, _ address: Address, isProven: Bool) -> SlotReport {
        SlotReport(
            slot: slot, state: .unsealed, address: address, isAddressProven: isProven, isSealProven: false,
            opened: nil)
    }

    /// An unsealed slot with its keys.
    static func opened(_ keys: OpenedSlot) -> SlotReport {
        SlotReport(
            slot: keys.slot, state: .unsealed, address: keys.address, isAddressProven: true, isSealProven: false,
            opened: keys)
    }

    /// The active, sealed slot.
    static func sealed(_ slot: ActiveSlot) -> SlotReport {
        SlotReport(
            slot: slot.slot, state: .sealed, address: slot.address, isAddressProven: slot.seal == .proven,
            isSealProven: slot.seal == .proven, opened: nil)
    }
}
