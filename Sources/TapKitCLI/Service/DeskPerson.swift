import ExplainedErrors
import FrontEndText
import LocalSockets
import SmartCard
import Synchronization
import TapKitService
import TapManager
import TapProtocol
import Terminal
import TextLayout

/// The person at this machine, whom a service asks for its clients: by pinentry or, without one and for what is too much
/// for windows, on the terminal that the service was started from. One question after the other, on a thread of its own. If there is a terminal, what is asked
/// about is shown there as well.
actor DeskPerson: ServiceDesk {
    private let thread = CardThread()
    private let console: Console
    private let dialogue: CVCDialogue
    private let occasion: OccasionPlace

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ console: Console) {
        let place = OccasionPlace()
        self.console = console
        occasion = place
        dialogue = CVCDialogue(console, given: nil) { request in
            let now = place.now
            let task = now?.task ?? request.purpose.words
            let purpose = TerminalText.neutralized("\(task), at the request of \(now?.program ?? "a program")")
            // On a terminal, the question itself names only the card.
            Self.show(["The CVC of \(request.card.title) is needed to \(purpose)."], on: console)
            return CVCPrompt(request.card, to: purpose, isForWindow: true, endedBy: now?.interruption)
        }
    }

    // MARK: What is asked

    func confirm(_ question: Question, for program: String) async throws {
        let text = QuestionText(question, width: console.width)
        switch question {
        case .sign(let asked):
            guard let window = text.window(for: asked) else { return }
            try await ask(
                window.question, reasons: window.reasons, losses: text.open(for: .none), for: program)
        case .signMessage, .signKeyRecord: throw Declined()
        case .changeReadyCard, .useCosignersAccount:
            // On a terminal the user has asked for it; here a program has.
            try await ask(
                text.question, reasons: text.screen.map(\.text), untouched: text.untouched, for: program)
        default:
            let losses = text.open(for: .none)
            switch text.occasion {
            case .offer: throw Declined()
            // It was confirmed before, or nothing is lost by it.
            case .finding where losses.isEmpty, .onTerminalOnly where losses.isEmpty: return
            default:
                try await ask(
                    text.question, reasons: text.screen.map(\.text), losses: losses, untouched: text.untouched,
                    for: program)
            }
        }
    }

    func cvc(for request: CVCRequest, for program: String) async throws -> CVC {
        try await asking(for: program) { _ throws(Failure) in try self.dialogue.answer(request) }
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?, for program: String) async throws -> CVC {
        Self.show(["\(card.title) gets a new CVC."], on: console)
        let cvc = try await asking(for: program) { interruption throws(Failure) in
            try NewCVCPrompt(card, for: program, endedBy: interruption).ask(insteadOf: present)
        }
        if !cvc.isShortEnoughForProofs { Self.show([CVCAdvice.new], on: console) }
        return cvc
    }

    func backupKey(
        for purpose: BackupPurpose, after refusal: TapError?, for program: String
    ) async throws -> Backup.Key {
        try await asking(for: program) { interruption throws(Failure) in
            var prompt = BackupKeyPrompt(for: program, endedBy: interruption)
            return try prompt.ask(after: refusal)
        }
    }

    func cvc(for request: CVCRequest, of offer: LeaseOffer) async throws -> CVC {
        let task = "sign for \(offer.minutes.counted("minute")) without asking you, as the lease allows"
        return try await asking(for: offer.program, to: task) { _ throws(Failure) in
            try self.dialogue.answer(request)
        }
    }

    func grant(_ offer: LeaseOffer) async throws {
        let amount = offer.limit.text(on: offer.wallet.network)
        try await ask(
            "Grant this lease?",
            reasons: [
                "It may sign with card \(offer.card.label) without asking you:",
                "at most \(amount) in all, fees included,",
                "at most \(offer.signatures.counted("signature")), for \(offer.minutes.counted("minute")),",
                "only from the wallet “\(offer.wallet.name)”.",
            ], untouched: "No lease was granted.", for: offer.program)
    }

    private func ask(
        _ question: String, reasons: [String], losses: UnacceptedFindings = .none,
        untouched: String = QuestionText.nothingSigned, for program: String
    ) async throws {
        let reasons = ["\(program) asks:"] + reasons.map { TerminalText.neutralized($0) }
        try await asking(for: program) { [console] interruption throws(Failure) in
            Self.show(reasons, on: console)
            try Confirmation.requireInWindows(
                question, reasons: reasons, losses: losses, untouched: untouched, endedBy: interruption)
        }
    }

    /// Shows lines on the terminal, if this process has one; a service that systemd started writes none to the journal.
    private static func show(_ lines: [String], on console: Console) {
        if TerminalLine.isOurs { console.note(lines: lines) }
    }

    /// Asks on this actor's thread, when it has asked everything before. A cancelled task's window is removed; a question
    /// on the terminal stays until it is answered.
    private nonisolated func asking<Answer: Sendable>(
        for program: String, to task: String? = nil, _ ask: @escaping @Sendable (Int32) throws(Failure) -> Answer
    ) async throws -> Answer {
        let end = try WakeUp()
        do {
            return try await withTaskCancellationHandler {
                try await asked(OccasionPlace.Occasion(program: program, task: task, interruption: end.reading), ask)
            } onCancel: {
                end.call()
            }
        } catch let failure as Failure {
            try Task.checkCancellation()
            throw DeskRefusal(failure)
        }
    }

    private func asked<Answer>(
        _ now: OccasionPlace.Occasion, _ ask: (Int32) throws(Failure) -> Answer
    ) throws -> Answer {
        try Task.checkCancellation()
        occasion.now = now
        defer { occasion.now = nil }
        return try ask(now.interruption)
    }
}

/// What is asked now.
final class OccasionPlace: Sendable {
    struct Occasion: Sendable {
        /// Who wants it.
        let program: String
        /// What a CVC is for, after “to”; `nil`: what the manager says.
        let task: String?
        /// Becomes readable when the question is removed.
        let interruption: Int32
    }

    private let present = Mutex<Occasion?>(nil)

    var now: Occasion? {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }
}

/// Why the person at this machine did not agree, or could not be asked, in words for a client.
struct DeskRefusal: ExplainedError {
    let code: ErrorCode
    let message: String
    let remedy: String

    init(_ failure: Failure) {
        (code, message) = (failure.code, failure.message)
        // The command's own hints are about options that a client does not have.
        remedy =
            [.cvcNeeded, .keyNeeded, .confirmationNeeded].contains(failure.code)
            ? "Let a pinentry ask at this machine, such as Debian's pinentry-gnome3, or let the program ask." : ""
    }
}
