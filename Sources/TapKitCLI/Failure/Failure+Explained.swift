import Bitcoin
import ExplainedErrors
import TapManager
import TapProtocol

/// How the errors of the layers below end a verb: in their own words, with the command lines that the terminal has besides.
extension Failure {
    /// Ctrl-C.
    static let interrupted = Failure(.interrupted, "Interrupted.")

    /// A part of the answer was not written.
    static var lostOutput: Failure {
        Failure(.cannotWrite, "The answer could not be written: \(Console.outputProblem).")
    }

    /// An error of any layer, with all that it says.
    init(_ error: some ExplainedError) {
        self.init(
            error.code, lines: [error.message] + error.details,
            hint: CommandHint.hint(error.code, error.subject, remedy: error.remedy))
        findings = Self.refusal(in: error)?.findings ?? []
        if error is TapLinkError { isValid = false }
        if let lost = error as? LostBeforeSigning {
            progress = Progress(done: lost.done, total: lost.total, savedFile: nil)
        }
    }

    /// An error that no verb expects.
    init(unexpected error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as any ExplainedError: self.init(error)
        case is CancellationError: self = .interrupted
        default: self.init(.internalError, "Unexpected: \(error)")
        }
    }

    /// An error about what stands in a file, or in an argument, that people know by this name.
    init(_ error: some ExplainedError & CustomStringConvertible, file: String) {
        self.init(error, about: file)
    }

    /// An error about a text that somebody typed: the error's own code, details and hint, behind words that say which text.
    init(_ error: some ExplainedError & CustomStringConvertible, about words: String) {
        self = Failure(error).retold("\(words): \(error).")
    }

    /// A wallet that does not fit a format, with the format's name.
    init(_ error: ExportError, format: ExportFormat) {
        self = Failure(error).retold(error.message(format: format.rawValue))
    }

    /// The refusal of a PSBT, in whatever it lies.
    private static func refusal(in error: any ExplainedError) -> SigningRefusal? {
        switch error {
        case let refusal as SigningRefusal: refusal
        case CreationError.refused(let refusal): refusal
        case FlowError.refused(let findings): SigningRefusal(findings: findings)
        default: nil
        }
    }
}
