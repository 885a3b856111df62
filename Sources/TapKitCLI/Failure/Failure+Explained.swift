import Bitcoin
import ExplainedErrors
import Settings
import TapManager
import TapProtocol
import Terminal

/// Turns errors of the layers below into failures: in their own words, with the terminal's command lines added.
extension Failure {
    /// Ctrl-C.
    static let interrupted = Failure(.interrupted, "Interrupted.")

    /// Ctrl-C at a prompt.
    /// - Parameter untouched: what is left undone, as a sentence.
    static func interrupted(leaving untouched: String) -> Failure {
        cancelled(.interrupted, leaving: untouched)
    }

    /// A no.
    /// - Parameter untouched: what is left undone, as a sentence.
    static func declined(leaving untouched: String) -> Failure { cancelled(.declined, leaving: untouched) }

    private static func cancelled(_ code: ErrorCode, leaving untouched: String) -> Failure {
        var failure = Failure(code, "\(cancelled) \(untouched)")
        failure.saysWhatIsUndone = true
        return failure
    }

    /// How the message of a failure starts when the user cancelled at a prompt.
    static let cancelled = "Cancelled."

    /// The user insists on the end, or a system call never returns.
    static let forcedEnd = Failure(
        .interrupted, "Interrupted, without waiting for the end of the running step.",
        hint: "It is not known what the step did: check with tapkit status and tapkit tx list, then run the same "
            + "command again.")

    /// Part of the answer was not written.
    static var lostOutput: Failure {
        Failure(
            .cannotWrite, "The answer could not be written: \(Console.outputProblem).",
            hint: "Check where the output of tapkit goes.")
    }

    /// An error of any layer, with its message, details and remedy.
    init(_ error: some ExplainedError) {
        let hint =
            if let error = error as? SettingError {
                CommandHint.hint(error)
            } else {
                CommandHint.hint(error.code, error.subject, remedy: error.remedy)
            }
        self.init(error.code, lines: [error.message] + error.details, hint: hint)
        findings = Self.refusal(in: error)?.findings ?? []
        if error is TapLinkError { isValid = false }
        saysWhatIsUndone = error is Declined
        if let lost = error as? LostBeforeSigning {
            progress = Progress(done: lost.done, total: lost.total, savedFile: nil)
        }
    }

    /// An error of any type, expected or not.
    init(unexpected error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as any ExplainedError: self.init(error)
        case is CancellationError: self = .interrupted
        default: self.init(.internalError, "Unexpected: \(error)")
        }
    }

    /// An error about the contents of a file or argument with this name.
    init(_ error: some ExplainedError & CustomStringConvertible, file: String) {
        self.init(error, about: file)
    }

    /// An error about something that was typed: its own code, details and hint, after words that say what was typed.
    init(_ error: some ExplainedError & CustomStringConvertible, about words: String) {
        self = Failure(error).retold("\(words): \(error).")
    }

    /// A typed address that is not valid, or not one on the network.
    init(_ error: AddressError, of text: String) {
        let words = if case .wrongNetwork(let asked, _) = error { "an address on \(asked)" } else { "a valid address" }
        self.init(error, about: "“\(text)” is not \(words)")
    }

    /// A wallet that does not fit an export format, named in the message.
    init(_ error: ExportError, format: ExportFormat) {
        self = Failure(error).retold(error.message(format: format.rawValue))
    }

    /// The refusal of a PSBT that an error contains.
    private static func refusal(in error: any ExplainedError) -> SigningRefusal? {
        switch error {
        case let refusal as SigningRefusal: refusal
        case CreationError.refused(let refusal): refusal
        case FlowError.refused(let findings): SigningRefusal(findings: findings)
        default: nil
        }
    }
}
