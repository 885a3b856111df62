/// Keeps a CVC that may be wrong from being sent forever when the card is removed each time before it answers: the
/// third wrong one in a row starts the lockout.
///
/// Counts the tries whose response was lost since the card last accepted a CVC. A CVC that was accepted in this session
/// is not counted.
struct CVCTrials {
    /// How many such tries are allowed.
    static let limit = 2

    private var accepted: [CVC] = []
    /// Tries whose outcome is unknown.
    private(set) var lost = 0

    /// Whether the card accepted this CVC in this session.
    func hasAccepted(_ cvc: CVC) -> Bool { accepted.contains { $0.isEqual(to: cvc) } }

    /// Records that a CVC is about to be sent.
    /// - Throws: `TapError.unprovenCVC` if it is not known to be right and all allowed tries are used up.
    mutating func begin(_ cvc: CVC) throws(TapError) {
        guard !hasAccepted(cvc) else { return }
        guard lost < Self.limit else { throw .unprovenCVC }
        lost += 1
    }

    /// Records that the card refused the CVC, even if it accepted it before: it may have been changed since.
    mutating func refuse(_ cvc: CVC) {
        settle(cvc)
        accepted.removeAll { $0.isEqual(to: cvc) }
    }

    /// Records that the card answered, but did not check the CVC, or did nothing.
    mutating func settle(_ cvc: CVC) {
        if !hasAccepted(cvc) { lost = max(0, lost - 1) }
    }

    /// Records that the card accepted the CVC, which also resets its count of wrong ones.
    mutating func accept(_ cvc: CVC) {
        lost = 0
        if !hasAccepted(cvc) { accepted.append(cvc) }
    }

    /// Records that the card's CVC has changed.
    mutating func forget() {
        lost = 0
        accepted = []
    }
}
