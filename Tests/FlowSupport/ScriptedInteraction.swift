import Bitcoin
import Synchronization
import TapManager
import TapProtocol

/// A person who answers by a script, and whose every word is kept.
package final class ScriptedInteraction: Interaction {
    /// What a person was asked or told.
    package enum Entry: Sendable {
        case question(SigningQuestion)
        /// One that is not about signing a PSBT.
        case otherQuestion(Question)
        case cvc(CVCRequest)
        case newCVC(CardAtHand)
        case backupKey(BackupPurpose)
        case notice(Notice)
    }

    /// That the script has no answer, or says no.
    package struct Declined: Error, Equatable {
        package init() {}
    }

    private let answer: @Sendable (SigningQuestion) throws -> Void
    private let decide: @Sendable (Question) throws -> Void
    private let give: @Sendable (CVCRequest) throws -> String
    private let newDigits: String?
    private let backupKeyDigits: String?
    private let hear: @Sendable (Notice) -> Void
    private let log = Mutex<[Entry]>([])

    /// - Parameters:
    ///   - answer: throws for a no.
    ///   - decide: throws for a no, where the question is not whether a PSBT is signed.
    ///   - give: the CVC's digits.
    ///   - newCVC: the digits of the CVC that a card shall have; `nil`: none.
    ///   - backupKey: the hexadecimal digits of a backup's key; `nil`: none.
    ///   - hear: what the person does when told something.
    package init(
        answer: @escaping @Sendable (SigningQuestion) throws -> Void = { _ in },
        decide: @escaping @Sendable (Question) throws -> Void = { _ in },
        give: @escaping @Sendable (CVCRequest) throws -> String, newCVC: String? = nil,
        backupKey: String? = nil, hear: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.answer = answer
        self.decide = decide
        self.give = give
        newDigits = newCVC
        backupKeyDigits = backupKey
        self.hear = hear
    }

    /// Somebody who says yes to everything, and types this CVC; once for each task, like one from a file.
    package convenience init(cvc: String, newCVC: String? = nil, backupKey: String? = nil) {
        self.init(
            give: { request in
                if let refusal = request.refusal { throw refusal.error }
                return cvc
            }, newCVC: newCVC, backupKey: backupKey)
    }

    /// Somebody who says the same to every question, and knows no CVC.
    package convenience init(isAgreed: Bool) {
        self.init(decide: { _ in if !isAgreed { throw Declined() } }, give: { _ in throw Declined() })
    }

    /// Everything so far, in order.
    package var entries: [Entry] { log.withLock { $0 } }

    /// What was asked and told, each by a word: `first`, `furtherSigner`, `worse`, `cvc`, or the question's or notice's own.
    package var words: [String] {
        entries.map { entry in
            switch entry {
            case .question(let question):
                switch question.occasion {
                case .first: "first"
                case .furtherSigner: "furtherSigner"
                case .worse: "worse"
                }
            case .otherQuestion(let question): Self.word(question)
            case .cvc(let request): request.refusal == nil ? "cvc" : "cvc again"
            case .newCVC: "newCVC"
            case .backupKey: "backupKey"
            case .notice(let notice): Self.word(notice)
            }
        }
    }

    /// What a case is called.
    private static func word(_ value: some Any) -> String { String("\(value)".prefix { $0.isLetter }) }

    package func confirm(_ question: Question) throws {
        switch question {
        case .sign(let question):
            log.withLock { $0.append(.question(question)) }
            try answer(question)
        default:
            log.withLock { $0.append(.otherQuestion(question)) }
            try decide(question)
        }
    }

    package func cvc(for request: CVCRequest) throws -> CVC {
        log.withLock { $0.append(.cvc(request)) }
        return try CVC(give(request))
    }

    package func newCVC(for card: CardAtHand, insteadOf present: CVC?) throws -> CVC {
        log.withLock { $0.append(.newCVC(card)) }
        guard let newDigits else { throw Declined() }
        return try CVC(newDigits)
    }

    package func backupKey(for purpose: BackupPurpose, after refusal: TapError?) throws -> Backup.Key {
        log.withLock { $0.append(.backupKey(purpose)) }
        if let refusal { throw refusal }
        guard let backupKeyDigits else { throw Declined() }
        return try Backup.Key(hex: backupKeyDigits)
    }

    package func notice(_ notice: Notice) {
        log.withLock { $0.append(.notice(notice)) }
        hear(notice)
    }
}
