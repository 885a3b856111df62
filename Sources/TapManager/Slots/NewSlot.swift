/// A slot that was given a key now or before: ready to be paid to, as far as `report` proves it.
public struct NewSlot: Sendable {
    /// The slot, with its complete address. That nobody knows its key is proven only if `isSealProven`.
    public let report: SlotReport
    /// Whether its key has the goal's chain code; false if it was set up before with another one.
    package let hasOurChainCode: Bool
}
