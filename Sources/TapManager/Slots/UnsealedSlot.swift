import TapProtocol

/// A slot that is unsealed now, with its private key: anyone who sees it can spend the slot's money.
public struct UnsealedSlot: Sendable {
    /// Its address and keys; the private key is verified to be the address's.
    public let opened: OpenedSlot
    /// Whether it was unsealed before this run.
    package let wasOpenedBefore: Bool
    /// The slot to set up next; `nil` if this was the last one, or the next one has a key already.
    package let next: SlotNumber?
}
