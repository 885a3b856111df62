import TapProtocol

/// A slot that is unsealed now, with the key that anybody can spend with.
public struct UnsealedSlot: Sendable {
    /// Its keys, proven.
    public let opened: OpenedSlot
    /// Whether it was unsealed before this run.
    package let wasOpenedBefore: Bool
    /// The slot to set up next; `nil` if this was the last one, or the next one has a key already.
    package let next: SlotNumber?
}
