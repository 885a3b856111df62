import TapProtocol

/// What a CVC is asked for.
public struct CVCRequest: Sendable {
    /// The card whose CVC is needed, whichever card is on the reader by the time of the answer.
    public let card: CardAtHand
    /// What it is needed for.
    public let purpose: CVCPurpose
    /// Why it is asked for again; `nil` the first time.
    public let refusal: CVCRefusal?
}

/// A CVC that did not work.
public struct CVCRefusal: Sendable, Equatable {
    /// The card's answer to it, with the tries that are left.
    public let error: FlowError
    /// Whether it was not sent to the card this time, as the card had refused the same CVC before.
    public let isRepeated: Bool
    /// Whether an earlier change of the CVC was interrupted, so that the card may have either of two.
    public let isInDoubt: Bool
}
