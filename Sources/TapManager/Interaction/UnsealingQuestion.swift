/// The question whether a slot of a SATSCARD is opened for good, or the key of an opened one shown once more.
///
/// Whoever can listen to the reader while a key is shown once more learns the CVC, or nearly all of it, and with it opens a
/// slot that is still sealed: a front end says so.
public struct UnsealingQuestion: Sendable {
    /// The card whose slot is to be opened.
    public let card: CardAtHand
    /// What would be done.
    package let plan: UnsealPlan
    /// Whether an earlier opening was interrupted before the key was shown, and is gone on with.
    public var isResumed: Bool { if case .showAgain = plan { card.status.address != nil } else { false } }
}
