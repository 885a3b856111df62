import TapProtocol

/// A slot that is unsealed now, with its private key: anyone who sees it can spend the slot's money.
public struct UnsealedSlot: Sendable {
    /// Its address and keys; the private key is verified to be the address's.
    public let opened: OpenedSlot
    /// Whether it was unsealed before this run.
    package let wasOpenedBefore: Bool
    /// The slot to set up next; `nil` if this was the last one, or the next one has a key already.
    package let next: SlotNumber?

    /// Whether the card sent the slot's master key in plain, so that anyone who was listening has the slot's key.
    /// `nil`: unknown, because the key is from `dump`: the answer to `unseal`, which was lost or is an earlier run's,
    /// may have had it in plain.
    package var wasExposed: Bool? { opened.wasExposed ? true : wasOpenedBefore ? nil : false }
}
