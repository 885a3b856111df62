import Synchronization
import TapManager
import TapProtocol

/// The terminal's way to ask and tell: questions on the terminal, or answered by `--yes` and `--accept`; CVCs from a file, or
/// typed.
final class TerminalInteraction: Interaction {
    private let options: GlobalOptions
    private let console: Console
    private let book: CVCBook?
    private let progress = Mutex<ProgressLine?>(nil)
    /// How often somebody was asked for the CVC of a card.
    private let prompts = Mutex<[CardIdent: Int]>([:])

    /// - Parameter book: the CVCs that were given; of a card that it has none for, somebody is asked.
    init(_ options: GlobalOptions, book: CVCBook? = nil) {
        self.options = options
        self.book = book
        console = options.console
    }

    /// Shows what the flows of a manager do from now on, around what is asked here.
    func show(_ line: ProgressLine) { progress.withLock { $0 = line } }

    func confirm(_ question: Question) async throws {
        try await asking {
            switch question {
            case .sign(let question):
                let text = SigningQuestionText(question)
                for line in text.lines { console.note(line) }
                try Confirmation.require(text.question, findings: question.findings, options)
            }
        }
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await asking {
            let cvc = try answer(request)
            if request.refusal == nil, !cvc.isShortEnoughForProofs { console.note(CVCAdvice.present) }
            return cvc
        }
    }

    func notice(_ notice: Notice) { NoticeText(notice, options).write() }

    /// Progress is shown to its end before anything is asked, and goes on behind it.
    private func asking<Answer>(_ ask: () throws -> Answer) async throws -> Answer {
        let line = progress.withLock { $0 }
        await line?.pause()
        defer { line?.resume() }
        return try ask()
    }

    private func answer(_ request: CVCRequest) throws(Failure) -> CVC {
        let card = request.card
        let problem = request.refusal.map { refusal in
            let failure = Failure(refusal.error, of: card.ident, options)
            let state = failure.hint.isEmpty ? failure.message : "\(failure.message) \(failure.hint)"
            return (
                failure: failure,
                text: refusal.isRepeated
                    ? "The card refused this CVC before; it was not sent again. \(state)" : state
            )
        }
        if let given = book?.cvc(of: card.ident) {
            // One from a file is tried once.
            if let problem { throw problem.failure }
            return given
        }
        var count = prompts.withLock { $0[card.ident] ?? 0 }
        if problem == nil { count = 0 }
        if let problem, count >= CVCPrompt.limit { throw problem.failure }
        defer { prompts.withLock { [count] in $0[card.ident] = count } }
        return try CVCPrompt(card, to: request.purpose.words).ask(after: problem?.text, counting: &count)
    }
}

extension CVCPurpose {
    /// Behind “needed to”.
    fileprivate var words: String {
        switch self {
        case .signTransaction(let count): "sign a transaction with \(count) input\(count == 1 ? "" : "s")"
        case .readAccount: "show an xpub"
        }
    }
}
