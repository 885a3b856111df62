import Bitcoin
import ExplainedErrors
import ReaderDoctor
import TapManager

/// What ends a verb without its answer: a stable code, what happened, what to do, and the exit status.
struct Failure: Error, Sendable {
    /// Lower snake case; listed by `tapkit help errors`.
    let code: ErrorCode
    /// What happened, in one line or several. Never holds a secret.
    var message: String { lines.joined(separator: "\n") }
    /// What happened, line by line: what is quoted from outside ends no line.
    private(set) var lines: [String]
    /// What to do about it; empty when there is nothing to add.
    private(set) var hint: String
    /// Whether it is only what helps with any error of this kind.
    private(set) var isHintGeneral: Bool
    /// How far an interrupted job came, and where its result lies.
    var progress: Progress?
    /// Every reason why a PSBT is refused.
    var findings: [Finding] = []
    /// False when what was to be verified did not verify.
    var isValid: Bool?
    /// Every proof that was asked for, when one of them failed.
    var proofs: [CardVerification.Line] = []
    /// What the doctor found, when no card can be used.
    var diagnosis: Diagnosis?
    /// What is wrong with the local store.
    var storeCheck: StoreCheck?
    /// Signatures that lie in no file, and go to standard output so that they are not lost.
    var psbt: PSBT?

    /// How far a job came.
    struct Progress: Sendable {
        let done: Int
        let total: Int
        /// Where what was done is kept; `nil` when there was nothing to keep.
        let savedFile: String?
    }

    init(_ code: ErrorCode, _ message: String, hint: String = "", progress: Progress? = nil) {
        self.init(code, lines: [message], hint: hint, progress: progress)
    }

    init(_ code: ErrorCode, lines: [String], hint: String = "", progress: Progress? = nil) {
        self.code = code
        self.lines = lines.map { TerminalText.neutralized($0) }
        let known = hint.isEmpty ? CommandHint.hint(code) : hint
        isHintGeneral = known.isEmpty
        self.hint = TerminalText.neutralized(known.isEmpty ? LastResort.hint(code) : known)
        self.progress = progress
    }

    /// The status the process ends with.
    var exitStatus: ExitStatus { code.exitStatus }
}

extension Failure {
    /// The same failure with something said before its message, and a hint when it has none of its own.
    func prefixed(_ text: String, hint newHint: String = "") -> Failure {
        let failure = retold(text + (lines.first ?? ""))
        return isHintGeneral && !newHint.isEmpty ? failure.hinting(newHint) : failure
    }

    /// The same failure of a command line, with the help for its verb in the place of the help for everything.
    func naming(_ verb: [String]) -> Failure {
        guard code == .usage, hint == CommandHint.hint(.usage) else { return self }
        var failure = self
        failure.hint = TerminalText.neutralized(TapkitCommand.helpHint(verb))
        return failure
    }

    /// The same failure with another first line.
    func retold(_ text: String) -> Failure {
        var failure = self
        failure.lines = [TerminalText.neutralized(text)] + lines.dropFirst()
        return failure
    }

    /// The same failure with more to its hint.
    func hinting(_ text: String) -> Failure {
        var failure = self
        failure.hint = TerminalText.neutralized(isHintGeneral ? text : "\(hint) \(text)")
        failure.isHintGeneral = false
        return failure
    }

    /// The same failure with another hint, where its own is about something else.
    func advising(_ text: String) -> Failure {
        var failure = self
        failure.hint = TerminalText.neutralized(text)
        return failure
    }

    /// The same failure, with signatures that would be lost otherwise.
    func rescuing(_ psbt: PSBT) -> Failure {
        var failure = self
        failure.psbt = psbt
        return failure
    }
}
