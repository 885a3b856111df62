/// The question whether a slot of a SATSCARD is opened for good, or the key of an opened one shown once more.
///
/// Showing it once more needs the CVC in the open: whoever can listen to the reader, and knows the key from before, learns it,
/// and with it opens a slot that is still sealed.
public struct UnsealingQuestion: Sendable {
    /// The card.
    public let card: CardAtHand
    /// What would be done.
    public let plan: UnsealFlow.Plan
    /// Whether an earlier opening was interrupted before the key was shown, and is gone on with.
    public var isResumed: Bool { if case .showAgain = plan { card.status.address != nil } else { false } }
}
