import Synchronization
import TapManager
import TapProtocol
import Terminal

/// Answers a manager's requests for CVCs: with the given one, which is tried once, or by asking the user, who may
/// mistype it.
final class CVCDialogue: Sendable {
    private let console: Console
    private let given: (any GivenCVCs)?
    private let prompt: @Sendable (CVCRequest) -> CVCPrompt
    /// How often the user was asked for the CVC of each card.
    private let prompts = Mutex<[CardIdent: Int]>([:])

    /// - Parameters:
    ///   - given: the CVCs that were given; `nil`: none.
    ///   - prompt: how to ask the user.
    init(
        _ console: Console, given: (any GivenCVCs)?, prompt: @escaping @Sendable (CVCRequest) -> CVCPrompt
    ) {
        (self.console, self.given, self.prompt) = (console, given, prompt)
    }

    /// The CVC.
    /// - Throws: `Failure`: what `CVCPrompt.ask` throws, and the card's answer to the last CVC.
    func answer(_ request: CVCRequest) throws(Failure) -> CVC {
        let ident = request.card.ident
        let refusal = request.refusal.map { Failure($0) }
        if let given = given?.cvc(of: ident) {
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
        let problem = isRepeated ? "The card already rejected this CVC, so it was not sent again. \(state)" : state
        return try prompt(request).ask(after: problem, counting: &count)
    }

    /// Whether a card's CVC is the given one for any card.
    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { given?.isGeneral(for: card) ?? false }

    private func said(_ cvc: CVC) -> CVC {
        if !cvc.isShortEnoughForProofs { console.note(CVCAdvice.present) }
        return cvc
    }
}

extension Failure {
    /// Why the card rejected a CVC; if the card may have either of two CVCs, how to find out which.
    fileprivate init(_ refusal: CVCRefusal) {
        self.init(refusal.error)
        guard refusal.isInDoubt else { return }
        self = hinting(
            "An earlier change of the CVC was interrupted, so the card may have the old or the new one: find out with tapkit change-cvc."
        )
    }
}
