/// A slot that is ready to be paid to.
public struct NewSlot: Sendable {
    /// The slot, proven.
    public let report: SlotReport
    /// Whether its key has the goal's chain code; false if it was set up before with another one.
    package let hasOurChainCode: Bool
}
