import Synchronization
import TapManager
import TapProtocol

/// Answers a manager's requests for CVCs: with the one that was given, which is tried once, or by asking somebody, who may
/// mistype it.
final class CVCDialogue: Sendable {
    private let console: Console
    private let given: @Sendable (CardIdent) -> CVC?
    private let prompt: @Sendable (CVCRequest) -> CVCPrompt
    /// How often somebody was asked for the CVC of a card.
    private let prompts = Mutex<[CardIdent: Int]>([:])

    /// - Parameters:
    ///   - given: the CVC that was given for a card; `nil`: none.
    ///   - prompt: how somebody is asked.
    init(
        _ console: Console, given: @escaping @Sendable (CardIdent) -> CVC?,
        prompt: @escaping @Sendable (CVCRequest) -> CVCPrompt
    ) {
        (self.console, self.given, self.prompt) = (console, given, prompt)
    }

    /// The CVC.
    /// - Throws: `Failure`: what `CVCPrompt.ask` throws, and what the card said to the last one that was given.
    func answer(_ request: CVCRequest) throws(Failure) -> CVC {
        let ident = request.card.ident
        let refusal = request.refusal.map { Failure($0) }
        if let given = given(ident) {
            if let refusal { throw refusal }
            return said(given)
        }
        guard let refusal, let isRepeated = request.refusal?.isRepeated else {
            var count = 0
            defer { prompts.withLock { [count] in $0[ident] = count } }
            return said(try prompt(request).ask(counting: &count))
        }
        var count = prompts.withLock { $0[ident] ?? 0 }
        guard count < CVCPrompt.limit else { throw refusal }
        defer { prompts.withLock { [count] in $0[ident] = count } }
        let state = refusal.hint.isEmpty ? refusal.message : "\(refusal.message) \(refusal.hint)"
        let problem = isRepeated ? "The card refused this CVC before; it was not sent again. \(state)" : state
        return try prompt(request).ask(after: problem, counting: &count)
    }

    private func said(_ cvc: CVC) -> CVC {
        if !cvc.isShortEnoughForProofs { console.note(CVCAdvice.present) }
        return cvc
    }
}

extension Failure {
    /// What the card said to a CVC; where the other of two may be the right one, the way to find out.
    fileprivate init(_ refusal: CVCRefusal) {
        self.init(refusal.error)
        guard refusal.isInDoubt else { return }
        self = hinting(
            "An earlier change of the CVC was interrupted, so the card may have the other one: "
                + "tapkit change-cvc finds out.")
    }
}
