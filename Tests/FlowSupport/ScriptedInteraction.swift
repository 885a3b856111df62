import Bitcoin
import Synchronization
import TapManager
import TapProtocol

/// A person who answers by a script, and whose every word is kept.
package final class ScriptedInteraction: Interaction {
    /// What a person was asked or told.
    package enum Entry: Sendable {
        case question(SigningQuestion)
        case otherQuestion(Question)
        case cvc(CVCRequest)
        case newCVC(CardAtHand)
        case notice(Notice)
    }

    /// That the script has no answer, or says no.
    package struct Declined: Error, Equatable {
        package init() {}
    }

    private let answer: @Sendable (SigningQuestion) throws -> Void
    private let answerOther: @Sendable (Question) throws -> Void
    private let give: @Sendable (CVCRequest) throws -> String
    private let newDigits: String?
    private let hear: @Sendable (Notice) -> Void
    private let log = Mutex<[Entry]>([])

    /// - Parameters:
    ///   - answer: throws for a no.
    ///   - answerOther: the same, for every other question.
    ///   - give: the CVC's digits.
    ///   - newCVC: the digits of the CVC that a card shall have; `nil`: none.
    ///   - hear: what the person does when told something.
    package init(
        answer: @escaping @Sendable (SigningQuestion) throws -> Void = { _ in },
        answerOther: @escaping @Sendable (Question) throws -> Void = { _ in },
        give: @escaping @Sendable (CVCRequest) throws -> String, newCVC: String? = nil,
        hear: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.answer = answer
        self.answerOther = answerOther
        self.give = give
        newDigits = newCVC
        self.hear = hear
    }

    /// Somebody who says yes to everything, and types this CVC; once for each task, like one from a file.
    package convenience init(cvc: String) {
        self.init { request in
            if let refusal = request.refusal { throw refusal.error }
            return cvc
        }
    }

    /// Everything so far, in order.
    package var entries: [Entry] { log.withLock { $0 } }

    /// What was asked and told, each by a word: `first`, `furtherSigner`, `worse`, `cvc`, or the notice's own.
    package var words: [String] {
        entries.map { entry in
            switch entry {
            case .question(let question):
                switch question.occasion {
                case .first: "first"
                case .furtherSigner: "furtherSigner"
                case .worse: "worse"
                }
            case .otherQuestion(let question): String("\(question)".prefix { $0.isLetter })
            case .cvc(let request): request.refusal == nil ? "cvc" : "cvc again"
            case .newCVC: "newCVC"
            case .notice(let notice): String("\(notice)".prefix { $0.isLetter })
            }
        }
    }

    package func confirm(_ question: Question) throws {
        switch question {
        case .sign(let question):
            log.withLock { $0.append(.question(question)) }
            try answer(question)
        default:
            log.withLock { $0.append(.otherQuestion(question)) }
            try answerOther(question)
        }
    }

    package func cvc(for request: CVCRequest) throws -> CVC {
        log.withLock { $0.append(.cvc(request)) }
        return try CVC(give(request))
    }

    package func newCVC(for card: CardAtHand) throws -> CVC {
        log.withLock { $0.append(.newCVC(card)) }
        guard let newDigits else { throw Declined() }
        return try CVC(newDigits)
    }

    package func notice(_ notice: Notice) {
        log.withLock { $0.append(.notice(notice)) }
        hear(notice)
    }
}
