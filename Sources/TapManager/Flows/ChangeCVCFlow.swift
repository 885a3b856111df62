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

    /// Changes the CVC and proves that the new one holds.
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
        do throws(FlowError) {
            try await send()
        } catch {
            guard case .card(.reader(let lost)) = error else { throw error }
            // The card may have acted before its answer was lost: the new CVC tells.
            guard try await gate.hasReturned(after: error) else { throw .cvcInDoubt(lost) }
            if try await Self.holds(new, gate: gate) { return }
            try await send()
        }
        guard try await Self.holds(new, gate: gate) else {
            throw .card(.badProof(.cvc, detail: "the card said that the CVC was changed, and refuses the new one"))
        }
    }

    private func send() async throws(FlowError) {
        let (present, new) = (present, new)
        try await gate.performOnce { try $0.changeCVC(from: present, to: new) }
    }

    /// Whether a CVC is the card's, found out with a harmless command. A wrong one costs a try.
    static func holds(_ cvc: CVC, gate: CardGate) async throws(FlowError) -> Bool {
        try await gate.waitOffSecurityDelay()
        do throws(FlowError) {
            _ = try await gate.perform { try $0.read(cvc: cvc) }
            return true
        } catch {
            if case .card(.wrongCVC) = error { return false }
            throw error
        }
    }
}
