import ExplainedErrors
import FrontEndText
import LocalSockets
import SmartCard
import Synchronization
import TapKitService
import TapManager
import TapProtocol
import Terminal

/// The person at this machine, whom a service asks for its clients: by pinentry or, without one, on the terminal that the
/// service was started from. One question after the other, on a thread of its own.
actor DeskPerson: ServiceDesk {
    private let thread = CardThread()
    private let dialogue: CVCDialogue
    private let occasion: OccasionPlace
    private let width: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ console: Console) {
        let place = OccasionPlace()
        width = console.width
        occasion = place
        dialogue = CVCDialogue(console, given: nil) { request in
            let now = place.now
            return CVCPrompt(
                request.card, to: "\(request.purpose.words), as \(now?.program ?? "a program") asks", isForWindow: true,
                endedBy: now?.interruption)
        }
    }

    // MARK: What is asked

    func confirm(_ question: Question, for program: String) async throws {
        let text = QuestionText(question, width: width)
        switch question {
        case .sign(let asked):
            // What it pays is shown with the question for the CVC.
            guard !text.warnings.isEmpty else { return }
            try await ask(
                "Sign it anyway with \(asked.signer.name)?", reasons: text.warnings, findings: text.findings,
                for: program)
        case .signMessage, .signKeyRecord: throw Declined()
        default:
            let losses = Acceptance.none.open(text.findings)
            switch text.occasion {
            case .offer: throw Declined()
            // It was confirmed before, or nothing is lost by it.
            case .finding where losses.isEmpty, .onTerminalOnly where losses.isEmpty: return
            default:
                try await ask(
                    text.question, reasons: text.screen.map(\.text), findings: text.findings, for: program)
            }
        }
    }

    func cvc(for request: CVCRequest, for program: String) async throws -> CVC {
        try await asking(for: program) { _ throws(Failure) in try self.dialogue.answer(request) }
    }

    func grant(_ offer: LeaseOffer) async throws {
        let amount = offer.limit.text(on: offer.wallet.network)
        try await ask(
            "Grant this lease?",
            reasons: [
                "It may sign with card \(offer.card.label) without asking you:",
                "for \(offer.minutes.counted("minute")), at most \(offer.signatures.counted("signature")),",
                "only from the wallet “\(offer.wallet.name)”, at most \(amount) in all, fees included.",
            ], findings: [], for: offer.program)
    }

    private func ask(_ question: String, reasons: [String], findings: [Finding], for program: String) async throws {
        let losses = Acceptance.none.open(findings)
        try await asking(for: program) { interruption throws(Failure) in
            try Confirmation.requireInWindow(
                question, reasons: ["\(program) asks:"] + reasons, losses: losses, endedBy: interruption)
        }
    }

    /// Asks on this actor's thread, when it has asked everything before; a cancelled task's question is removed.
    private nonisolated func asking<Answer: Sendable>(
        for program: String, _ ask: @escaping @Sendable (Int32) throws(Failure) -> Answer
    ) async throws -> Answer {
        let end = try WakeUp()
        do {
            return try await withTaskCancellationHandler {
                try await asked(OccasionPlace.Occasion(program: program, interruption: end.reading), ask)
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
            [.cvcNeeded, .confirmationNeeded].contains(failure.code)
            ? "Let a pinentry ask at this machine, such as Debian's pinentry-gnome3, or let the program ask." : ""
    }
}
