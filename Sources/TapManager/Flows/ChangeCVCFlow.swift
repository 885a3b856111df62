import SmartCard
import TapProtocol

/// Changes the card's CVC, and never leaves in doubt which one holds.
public struct ChangeCVCFlow: Sendable {
    private let gate: CardGate
    private let present: CVC
    private let new: CVC

    /// A flow for one card, its CVC and the one it shall have.
    public init(gate: CardGate, from present: CVC, to new: CVC) {
        self.gate = gate
        self.present = present
        self.new = new
    }

    /// Changes the CVC and proves that the new one holds. Done already, by an earlier run whose end nobody saw, it does
    /// no more than prove that; this costs one wrong try.
    ///
    /// Wire: `check`, `certs`, `change`, then `read` with the new CVC.
    /// - Throws: `FlowError.wrongProduct`, `.card(.card)` with 425 before the first backup, `.card(.wrongCVC)`,
    ///   `.cvcInDoubt` when the card was lost on the way and did not come back.
    public func change() async throws(FlowError) {
        try await gate.performAuthenticated(task: "change its CVC") { _ in }
        try await run()
    }

    /// Changes the CVC of a card that was looked at before.
    func run() async throws(FlowError) {
        gate.events(.changingCVC)
        var isGarbleForgiven = false
        while true {
            do throws(FlowError) {
                return try await send()
            } catch {
                if error.isGarbledAnswer {
                    guard !isGarbleForgiven else { throw error }
                    isGarbleForgiven = true
                }
                if try await isChanged(after: error) { return }
            }
        }
    }

    /// Changes and proves in one turn, so that no interruption comes between.
    private func send() async throws(FlowError) {
        let (present, new) = (present, new)
        try await gate.performOnce { session in
            try session.changeCVC(from: present, to: new)
            do throws(TapError) {
                _ = try session.read(cvc: new)
            } catch {
                guard case .wrongCVC = error else { throw error }
                throw TapError.badProof(
                    .cvc, detail: "the card said that the CVC was changed, and refuses the new one")
            }
        }
    }

    /// Finds out which CVC holds after a failure that does not tell.
    /// - Throws: the failure when it does tell; `.cvcInDoubt` when the card is gone.
    private func isChanged(after failure: FlowError) async throws(FlowError) -> Bool {
        if case .card(.wrongCVC(.atMost)) = failure {
            guard try await Self.holds(new, gate: gate) else { throw failure }
            return true
        }
        let lost = failure.readerError
        guard lost != nil || failure.isGarbledAnswer else { throw failure }
        do throws(FlowError) {
            if !failure.isGarbledAnswer {
                guard try await gate.hasReturned(after: failure) else { throw failure }
            }
            if try await Self.holds(new, gate: gate) { return true }
            // The right one takes the wrong try off the card's count, so this may happen any number of times.
            let present = present
            _ = try await gate.perform { try $0.read(cvc: present) }
            return false
        } catch {
            guard let lost = error.readerError ?? lost else { throw error }
            throw .cvcInDoubt(lost)
        }
    }

    /// Whether a CVC is the card's, found out with a harmless command. A wrong one costs a try; two, should the card be
    /// lost meanwhile, but never the third, which begins the security delay.
    static func holds(_ cvc: CVC, gate: CardGate) async throws(FlowError) -> Bool {
        try await gate.waitOffSecurityDelay()
        do throws(FlowError) {
            _ = try await gate.perform(repeatable: { try $0.read(cvc: cvc) }, tries: 2)
            return true
        } catch {
            guard case .card(.wrongCVC(let tries)) = error else { throw error }
            // Behind an earlier delay every wrong try begins a new one.
            if case .delayed = tries { try await gate.waitOffSecurityDelay() }
            return false
        }
    }
}

extension FlowError {
    /// How the reader lost the card, if it did.
    fileprivate var readerError: ReaderError? {
        guard case .card(.reader(let error)) = self else { return nil }
        return error
    }
}
