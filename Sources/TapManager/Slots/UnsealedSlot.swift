import TapProtocol

/// An opened slot.
public struct UnsealedSlot: Sendable {
    /// Its keys, proven.
    public let opened: OpenedSlot
    /// Whether it was opened before this run.
    package let wasOpenedBefore: Bool
    /// The slot to be set up next; `nil` when this was the last one, or the next one has a key already.
    package let next: SlotNumber?
}
