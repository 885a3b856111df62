import SmartCard
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
    ///   `.neitherCVC`, `.triesSpent`, `.cvcInDoubt` if the card was lost on the way and did not return.
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

    /// Changes the CVC of a card that has the current one, and records that it has the new one.
    func run() async throws(FlowError) {
        driver.events(.changingCVC)
        var isGarbleForgiven = false
        while true {
            try driver.journal.record(.changeCVC(ChangeCVCState(lastTried: nil)))
            do throws(FlowError) {
                try await send()
                return try driver.journal.settleCVC(.new)
            } catch {
                if error.isRefusalByCard { try driver.journal.settleCVC(.present) }
                if error.isGarbledAnswer {
                    guard !isGarbleForgiven else { throw error }
                    isGarbleForgiven = true
                }
                if try await holder(after: error) == .new { return }
            }
        }
    }

    /// Changes and proves without releasing the card, so that nothing comes between.
    private func send() async throws(FlowError) {
        let (present, new) = (present, new)
        try await driver.performOnce { session in
            try session.changeCVC(from: present, to: new)
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
    /// - Throws: the failure if it does show it; `.cvcInDoubt` if the card is gone.
    private func holder(after failure: FlowError) async throws(FlowError) -> CVCSearch.Holder {
        let lost = failure.readerError
        guard lost != nil || failure.isGarbledAnswer else { throw failure }
        do throws(FlowError) {
            if !failure.isGarbledAnswer {
                guard try await driver.hasReturned(after: failure) else { throw failure }
            }
            return try await search.settleDoubt()
        } catch {
            guard let lost = error.readerError ?? lost else { throw error }
            throw .cvcInDoubt(lost)
        }
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

    /// The reader's error if the card was lost.
    fileprivate var readerError: ReaderError? {
        guard case .card(.reader(let error)) = self else { return nil }
        return error
    }
}
