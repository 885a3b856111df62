import Synchronization
import TapManager
import TapProtocol

/// The CVCs entered during one call, so that nobody types one twice. They are discarded with the call.
final class CVCMemory: Sendable {
    private let cvcs = Mutex<[CardIdent: CVC]>([:])

    /// The CVC entered last; `nil`: none was, or the card rejected it.
    func cvc(of card: CardIdent) -> CVC? { cvcs.withLock { $0[card] } }

    /// An interaction that asks only for unknown CVCs.
    func before(_ interaction: any Interaction) -> any Interaction { Remembering(memory: self, asked: interaction) }

    fileprivate func remember(_ cvc: CVC?, of card: CardIdent) { cvcs.withLock { $0[card] = cvc } }
}

private struct Remembering: Interaction {
    let memory: CVCMemory
    let asked: any Interaction

    func confirm(_ question: Question) async throws { try await asked.confirm(question) }

    func cvc(for request: CVCRequest) async throws -> CVC {
        let card = request.card.ident
        if request.refusal == nil, let known = memory.cvc(of: card) { return known }
        memory.remember(nil, of: card)
        let cvc = try await asked.cvc(for: request)
        memory.remember(cvc, of: card)
        return cvc
    }

    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { asked.hasOnlyGeneralCVC(for: card) }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        try await asked.newCVC(for: card, insteadOf: present)
    }

    func notice(_ notice: Notice) { asked.notice(notice) }
}
