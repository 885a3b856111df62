/// A slot that was given a key now or before: ready to be paid to, as far as `report` proves it.
public struct NewSlot: Sendable {
    /// The slot, with its complete address. That nobody knows its key is proven only if `isSealProven`.
    public let report: SlotReport
    /// Whether its key has the chain code that was drawn or given in this call; false if it was set up before with
    /// another one.
    package let hasOurChainCode: Bool
    /// Whether its key has another one that, according to the store, an interrupted setup gave the card. That the key
    /// has it is proven; but anyone who can write to the store can have written it.
    package let hasEarlierChainCode: Bool
}
