import TapProtocol

/// What a CVC is asked for.
public struct CVCRequest: Sendable {
    /// The card whose CVC is asked for, whichever lies there when the answer comes.
    public let card: CardAtHand
    /// What it is needed for.
    public let purpose: CVCPurpose
    /// Why it is asked for again; `nil` the first time.
    public let refusal: CVCRefusal?
}

/// A CVC that was of no use.
public struct CVCRefusal: Sendable, Equatable {
    /// What the card said to it, with the tries that are left.
    public let error: FlowError
    /// Whether the card was not asked this time: it had refused the same CVC before.
    public let isRepeated: Bool
    /// Whether an earlier change of the CVC was interrupted, so that the card may have either of two.
    public let isInDoubt: Bool
}
