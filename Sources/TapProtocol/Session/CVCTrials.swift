/// Keeps a CVC that may be wrong from being sent for ever, when a card that is pulled away never gives its answer: the
/// third wrong one in a row begins the security delay.
///
/// Counts the tries whose answer got lost since the card last accepted a CVC. One that it accepted in this session is not
/// counted.
struct CVCTrials {
    /// How many such tries there may be.
    static let limit = 2

    private var accepted: [CVC] = []
    /// Tries of which nobody knows what came of them.
    private(set) var lost = 0

    /// Whether the card accepted this CVC in this session.
    func hasAccepted(_ cvc: CVC) -> Bool { accepted.contains { $0.isEqual(to: cvc) } }

    /// Notes that a CVC is about to be sent.
    /// - Throws: `TapError.unprovenCVC` when it is not known to be right, and there were as many tries already as there
    ///   may be.
    mutating func begin(_ cvc: CVC) throws(TapError) {
        guard !hasAccepted(cvc) else { return }
        guard lost < Self.limit else { throw .unprovenCVC }
        lost += 1
    }

    /// Notes that the card answered, though not that it accepted the CVC, or that it did not look at it.
    mutating func settle(_ cvc: CVC) {
        if !hasAccepted(cvc) { lost = max(0, lost - 1) }
    }

    /// Notes that the card accepted it, by which it also forgets wrong ones.
    mutating func accept(_ cvc: CVC) {
        lost = 0
        if !hasAccepted(cvc) { accepted.append(cvc) }
    }

    /// Notes that the card has another CVC now.
    mutating func forget() {
        lost = 0
        accepted = []
    }
}
