import TapProtocol

/// Why a CVC is asked for, and whose. What is to be signed has been shown and confirmed by then.
public struct CVCRequest: Sendable {
    /// The card whose CVC is needed, whichever card is on the reader by the time of the answer.
    public let card: CardAtHand
    /// What it is needed for, with what was confirmed for it.
    public let purpose: CVCPurpose
    /// Why it is asked for again; `nil` the first time.
    public let refusal: CVCRefusal?
}

/// A CVC that did not work. The card has done nothing for it, and counted a wrong try unless `isRepeated`.
public struct CVCRefusal: Sendable, Equatable {
    /// The card's answer to it, `FlowError.card(.wrongCVC)` with the tries that are left before its lockout. For a
    /// repeated one, the answer to the CVC that was last sent.
    public let error: FlowError
    /// Whether it was not sent to the card this time, as the card had refused the same CVC before.
    public let isRepeated: Bool
    /// Whether an earlier change of the CVC was interrupted, so that the card may have either of two.
    public let isInDoubt: Bool
}
