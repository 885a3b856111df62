import Synchronization
import TapProtocol

/// Finds out which of two CVCs a card has, with a harmless command and as few wrong tries as possible.
///
/// If the end of an earlier attempt to change the CVC is unknown, one of the two is right. So if an answer gets lost,
/// the other one is tried next, even in the next run: the right one resets the card's count of wrong tries, and there
/// are never two wrong ones in a row. If the user gives two wrong CVCs, two tries are spent, but not a third.
///
/// Spec: protocol, "Interruptions" (`change`).
struct CVCSearch {
    /// Which of the two CVCs it is.
    enum Holder: String, Sendable, Hashable, Codable {
        /// The one from before the change.
        case present
        /// The one that the card was to get.
        case new

        var other: Holder { self == .present ? .new : .present }
    }

    private let driver: CardDriver
    private let present: CVC
    private let new: CVC

    init(driver: CardDriver, present: CVC, new: CVC) {
        self.driver = driver
        self.present = present
        self.new = new
    }

    /// How many wrong tries in a row are allowed; the third starts the lockout.
    private static let limit = 2

    /// How many garbled answers in a row to a CVC are put up with.
    private static let mostGarbles = 4

    /// Finds the right one if it is unknown whether an earlier change succeeded, and records the result.
    /// - Throws: `.neitherCVC`; `.triesSpent` if the card was removed so often that the next try might be the third
    ///   wrong one; a failed proof; otherwise `.cvcInDoubt`.
    func settleDoubt() async throws(FlowError) -> Holder {
        do throws(FlowError) { return try await tryInTurn() } catch { throw error.leavingCVCInDoubt }
    }

    private func tryInTurn() async throws(FlowError) -> Holder {
        var garbles = 0
        var candidate = try driver.journal.lastTriedCVC()?.other ?? .new
        var refused: Holder?
        while true {
            try driver.journal.record(.changeCVC(ChangeCVCState(lastTried: candidate)))
            let isSent = Atomic(false)
            do throws(FlowError) {
                try await prove(candidate, isSent)
                try driver.journal.settleCVC(candidate)
                return candidate
            } catch {
                if case .card(.wrongCVC(let tries)) = error {
                    guard refused == nil, !new.isEqual(to: present) else { throw .neitherCVC(tries) }
                    refused = candidate
                    if case .delayed = tries { try await driver.waitOffSecurityDelay() }
                } else if error.isGarbledAnswer, garbles < (isSent.load(ordering: .relaxed) ? Self.mostGarbles : 1) {
                    garbles += 1
                } else {
                    guard try await driver.hasReturned(after: error) else { throw error }
                    garbles = 0
                }
                if isSent.load(ordering: .relaxed) { candidate = refused?.other ?? candidate.other }
            }
        }
    }

    /// Finds the right one if nothing is known to have been interrupted. The other one is not tried if that could be
    /// the third wrong try in a row, because the user mistyped a CVC before.
    /// - Parameter likelier: the one to try first.
    /// - Throws: `.card(.wrongCVC)` if neither is right; `.triesSpent`, `.card`.
    func find(likelier: Holder) async throws(FlowError) -> Holder {
        guard !new.isEqual(to: present) else { return .present }
        let cvc = likelier == .new ? new : present
        let refusal = try await driver.perform { session -> FirstRefusal? in
            do throws(TapError) { try session.test(cvc) } catch {
                guard case .wrongCVC(let tries) = error else { throw error }
                return (tries, session.possibleWrongTries, session.lostTries)
            }
            return nil
        }
        guard let refusal else { return likelier }
        guard refusal.inARow < Self.limit else {
            // If an answer got lost, the CVC sent before may have been the other one.
            throw refusal.lost > 0 ? .triesSpent : .card(.wrongCVC(refusal.tries))
        }
        // After an earlier lockout, every wrong try starts a new one.
        if case .delayed = refusal.tries { try await driver.waitOffSecurityDelay() }
        try await provePatiently(likelier.other)
        return likelier.other
    }

    /// The card's answer to the first of two CVCs, with how many wrong ones in a row that may have been, and for how
    /// many the answer got lost.
    private typealias FirstRefusal = (tries: RemainingTries, inARow: Int, lost: Int)

    /// - Parameter isSent: whether the card may have received the CVC.
    private func prove(_ holder: Holder, _ isSent: borrowing Atomic<Bool>) async throws(FlowError) {
        let cvc = holder == .new ? new : present
        try await driver.performOnce { session in
            isSent.store(true, ordering: .relaxed)
            try Self.prove(cvc, on: session)
        }
    }

    private func provePatiently(_ holder: Holder) async throws(FlowError) {
        let cvc = holder == .new ? new : present
        try await driver.perform { session in try Self.prove(cvc, on: session) }
    }

    private static func prove(_ cvc: CVC, on session: TapSession) throws {
        guard session.hasAccepted(cvc) || session.possibleWrongTries < limit || session.status.authDelaySeconds > 0
        else { throw FlowError.triesSpent }
        try session.test(cvc)
    }
}

extension FlowJournal {
    /// Whether an earlier run was interrupted between sending the change of the CVC and proving the new one.
    func isCVCInDoubt() throws(FlowError) -> Bool { try unfinished(.changeCVC) != nil }

    /// The CVC that was tried last, while the card may have either.
    fileprivate func lastTriedCVC() throws(FlowError) -> CVCSearch.Holder? {
        guard case .changeCVC(let state) = try unfinished(.changeCVC) else { return nil }
        return state.lastTried
    }

    /// Records that it is known which CVC the card has.
    func settleCVC(_ holder: CVCSearch.Holder) throws(FlowError) {
        if case .setup(var state) = try unfinished(.setup), state.isCVCChanged != (holder == .new) {
            state.isCVCChanged = holder == .new
            try record(.setup(state))
        }
        try finish(.changeCVC)
    }
}
