import Synchronization
import TapProtocol

/// Changes the card's CVC, and keeps track of which one the card has.
///
/// From sending the change until the new CVC is proven, the journal records that the card may have either one.
package struct ChangeCVCFlow: Sendable {
    private let driver: CardDriver
    private let present: CVC
    private let new: CVC

    /// A flow for one card, its current CVC and the new one.
    package init(driver: CardDriver, from present: CVC, to new: CVC) {
        self.driver = driver
        self.present = present
        self.new = new
    }

    private var search: CVCSearch { CVCSearch(driver: driver, present: present, new: new) }

    /// Changes the CVC and tries the new one, which over an honest line proves the change. If an earlier run whose end
    /// nobody saw already changed it, this only tries the new one; if that run left no trace in the journal, this costs
    /// one wrong try.
    ///
    /// Wire: `check`, `certs`, `xpub` with the current CVC, `change`, then `xpub` with the new one. Except
    /// `change`, none of them encrypts data that others may come to know: see `TapSession.changeCVC`.
    /// - Throws: `FlowError.wrongProduct`, `.card(.card)` with 425 before the first backup, `.card(.wrongCVC)`,
    ///   `.neitherCVC`, `.triesSpent`; `.cvcInDoubt` if the card was lost on the way and did not return, or nothing that
    ///   it answers is clear.
    package func change() async throws(FlowError) {
        try await driver.performAuthenticated(task: .changeCVC) { _ in }
        let holder: CVCSearch.Holder
        if try driver.journal.isCVCInDoubt() {
            holder = try await search.settleDoubt()
        } else {
            holder = try await search.find(likelier: .present)
        }
        if holder == .present { try await run() }
    }

    /// Changes the CVC of a card that has the current one, and records that it has the new one. If the card turns out not
    /// to have done it, the order is given once more; after the card was away, each time that it returns.
    func run() async throws(FlowError) {
        driver.events(.changingCVC)
        var (isRepeated, isGarbleForgiven) = (false, false)
        while true {
            try driver.journal.record(.changeCVC(ChangeCVCState(lastTried: nil)))
            let mayHaveChanged = Atomic(false)
            do throws(FlowError) {
                try await send(mayHaveChanged)
                break
            } catch {
                guard mayHaveChanged.load(ordering: .relaxed) else {
                    try driver.journal.settleCVC(.present)
                    if error.isRefusalByCard { throw error }
                    if error.isGarbledAnswer, !isGarbleForgiven {
                        isGarbleForgiven = true
                    } else {
                        guard try await driver.hasReturned(after: error) else { throw error }
                        isGarbleForgiven = false
                    }
                    continue
                }
                if try await holder(after: error) == .new { return }
                if error.isGarbledAnswer || error.isRefusalByCard {
                    guard !isRepeated else { throw error }
                    isRepeated = true
                }
            }
        }
        try driver.journal.settleCVC(.new)
    }

    /// Changes and proves without releasing the card, so that nothing comes between.
    /// - Parameter mayHaveChanged: whether the card may have the new CVC. After a refusal, which anybody on the line can
    ///   write, it is asked for the current one. If it refuses one that it has just accepted, the order may have reached it
    ///   twice.
    private func send(_ mayHaveChanged: borrowing Atomic<Bool>) async throws(FlowError) {
        let (present, new) = (present, new)
        try await driver.performOnce { session in
            // Now, so that nothing but the order is sent from here on.
            try session.refreshStatus()
            let isAccepted = session.hasAccepted(present)
            mayHaveChanged.store(true, ordering: .relaxed)
            do throws(TapError) { try session.changeCVC(from: present, to: new) } catch {
                let isUnchanged =
                    switch error {
                    case .wrongCVC: !isAccepted
                    case .card: (try? session.test(present)) != nil
                    case .weakRandomness: true
                    default: false
                    }
                if isUnchanged { mayHaveChanged.store(false, ordering: .relaxed) }
                throw error
            }
            do throws(TapError) {
                try session.test(new)
            } catch {
                guard case .wrongCVC = error else { throw error }
                throw TapError.badProof(
                    .cvc, detail: "the card confirmed the change of the CVC, but refuses the new one")
            }
        }
    }

    /// Finds out which CVC the card has after a failure that does not show it.
    /// - Throws: what `CVCSearch.settleDoubt()` throws; `.cvcInDoubt` if the card is gone.
    private func holder(after failure: FlowError) async throws(FlowError) -> CVCSearch.Holder {
        do throws(FlowError) {
            if failure.isRefusalByCard {
                try await driver.waitOffSecurityDelay()
            } else if !failure.isGarbledAnswer {
                guard try await driver.hasReturned(after: failure) else { throw failure }
            }
        } catch { throw error.leavingCVCInDoubt }
        return try await search.settleDoubt()
    }
}

extension FlowError {
    /// Whether the card answered with a refusal.
    var isRefusalByCard: Bool {
        switch self {
        case .card(.card), .card(.wrongCVC), .card(.rateLimited): true
        default: false
        }
    }

    /// Whether the card did not accept the CVC, and did nothing.
    var refusesCVC: Bool {
        switch self {
        case .card(.wrongCVC), .card(.rateLimited): true
        default: false
        }
    }

    /// The same after the card was told to change its CVC. What says which CVCs may be right, and failed proofs and bugs,
    /// stay what they are.
    var leavingCVCInDoubt: FlowError {
        switch self {
        case .cvcInDoubt, .neitherCVC, .triesSpent, .notGenuine, .card(.badProof), .unexpected: self
        default: .cvcInDoubt(self)
        }
    }
}
