import Synchronization
import TapProtocol

/// Finds out which of two CVCs a card has, with a harmless command and as few wrong tries as can be.
///
/// When an earlier order to change the CVC has an unknown end, one of the two is right. So after a try whose answer got
/// lost the other one is tried, in the next run too: whichever is right takes the wrong try off the card's count, and
/// there are never two wrong ones in a row. Whoever gives two wrong ones spends two tries, and no third.
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

    /// How many wrong tries there may be in a row; the third begins the security delay.
    private static let limit = 2

    /// Looks for the right one after an order to change it whose end nobody knows, and strikes the doubt out.
    /// - Throws: `.neitherCVC`; `.triesSpent` when the card was taken away so often that a third try might be the third
    ///   wrong one; `.card`.
    func settleDoubt() async throws(FlowError) -> Holder {
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
                    guard refused == nil else { throw .neitherCVC(tries) }
                    refused = candidate
                    if case .delayed = tries { try await driver.waitOffSecurityDelay() }
                } else if !error.isGarbledAnswer {
                    guard try await driver.hasReturned(after: error) else { throw error }
                }
                if isSent.load(ordering: .relaxed) { candidate = refused?.other ?? candidate.other }
            }
        }
    }

    /// Looks for the right one where nothing is known to have been interrupted. The other one is not tried where that could
    /// be the third wrong try in a row: then the person has mistyped a CVC before.
    /// - Parameter likelier: the one to try first.
    /// - Throws: `.card(.wrongCVC)` when neither is right; `.triesSpent`, `.card`.
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
            // Where an answer got lost, what was sent before may have been the other one.
            throw refusal.lost > 0 ? .triesSpent : .card(.wrongCVC(refusal.tries))
        }
        // Behind an earlier delay every wrong try begins a new one.
        if case .delayed = refusal.tries { try await driver.waitOffSecurityDelay() }
        try await provePatiently(likelier.other)
        return likelier.other
    }

    /// What the card said to the first of two CVCs; how many wrong ones that may have been in a row, and of how many the answer
    /// got lost.
    private typealias FirstRefusal = (tries: RemainingTries, inARow: Int, lost: Int)

    /// - Parameter isSent: whether the card may have seen the CVC.
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
    /// Whether an earlier run was interrupted between the order to change the CVC and the proof of the new one.
    func isCVCInDoubt() throws(FlowError) -> Bool { try unfinished(.changeCVC) != nil }

    /// Which CVC was tried last, while either may hold.
    fileprivate func lastTriedCVC() throws(FlowError) -> CVCSearch.Holder? {
        guard case .changeCVC(let state) = try unfinished(.changeCVC) else { return nil }
        return state.lastTried
    }

    /// Notes that it is known which CVC the card has.
    func settleCVC(_ holder: CVCSearch.Holder) throws(FlowError) {
        if case .setup(var state) = try unfinished(.setup), state.isCVCChanged != (holder == .new) {
            state.isCVCChanged = holder == .new
            try record(.setup(state))
        }
        try finish(.changeCVC)
    }
}
