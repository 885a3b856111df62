import AnswerDocuments
import Bitcoin
import ExplainedErrors
import ReaderDoctor
import TapManager
import TextLayout

/// Why a verb ends without its answer: a stable code, what happened, what to do, and the exit status.
struct Failure: Error, Sendable {
    /// Lower snake case; listed by `tapkit help errors`.
    private(set) var code: ErrorCode
    /// What happened, on one line or several. Never holds a secret.
    var message: String { lines.joined(separator: "\n") }
    /// What happened, line by line. Text from outside cannot break a line.
    private(set) var lines: [String]
    /// What to do about it; empty if there is nothing to add.
    private(set) var hint: String
    /// Whether the hint is only the general one for this code.
    private(set) var isHintGeneral: Bool
    /// How far an interrupted job got, and where its result is.
    var progress: Progress?
    /// Whether the user cancelled, and the message says what is left undone.
    var saysWhatIsUndone = false
    /// Every reason why a PSBT is refused, or every finding that was not accepted.
    var findings: [Finding] = []
    /// The transaction that the findings are about; `nil`: its amounts are unknown.
    var review: TransactionReview?
    /// False if a verification failed.
    var isValid: Bool?
    /// All requested proofs, if one of them failed.
    var proofs: [CardVerification.Line] = []
    /// The doctor's findings, if no card can be used.
    var diagnosis: Diagnosis?
    /// What became of each spending path, if a rehearsal failed.
    var rehearsed: [RehearsedPathDocument]?
    /// What is wrong with the local store.
    var storeCheck: StoreCheck?
    /// Signatures that are in no file; they go to standard output so that they are not lost.
    var psbt: PSBT?
    /// Whether it ends an answer that has a line for each event, as the last line.
    var followsEvents = false

    /// How far a job got.
    struct Progress: Sendable {
        let done: Int
        let total: Int
        /// The file with the result so far; `nil` if there is none.
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
    /// The same failure with text before its message, and a hint if it has none of its own.
    func prefixed(_ text: String, hint newHint: String = "") -> Failure {
        let failure = retold(text + (lines.first ?? ""))
        return isHintGeneral && !newHint.isEmpty ? failure.hinting(newHint) : failure
    }

    /// The same failure of a verb: that of its command line points to the verb's help instead of the general one, and
    /// an interruption says how to go on.
    func naming(_ verb: [String]) -> Failure {
        if code == .interrupted, hint.isEmpty, !saysWhatIsUndone { return advising(Self.goingOn(with: verb)) }
        guard code == .usage, hint == CommandHint.hint(.usage) else { return self }
        var failure = self
        failure.hint = TerminalText.neutralized(TapkitCommand.helpHint(verb))
        return failure
    }

    /// What to do after Ctrl-C; empty for verbs that only show something.
    private static func goingOn(with verb: [String]) -> String {
        switch verb.joined(separator: " ") {
        case "setup": "Run the same command again: it continues where it stopped."
        case "verify", "sign", "tx sign", "recover sign", "sweep", "backup", "derive", "unseal", "wallet sync":
            "Run the same command again."
        default: ""
        }
    }

    /// The same failure of something that was read for another purpose, whose code counts.
    func coded(_ code: ErrorCode) -> Failure {
        var failure = self
        failure.code = code
        return failure
    }

    /// The same failure with another first line.
    func retold(_ text: String) -> Failure {
        var failure = self
        failure.lines = [TerminalText.neutralized(text)] + lines.dropFirst()
        return failure
    }

    /// The same failure with more added to its hint.
    func hinting(_ text: String) -> Failure {
        var failure = self
        failure.hint = TerminalText.neutralized(isHintGeneral ? text : "\(hint) \(text)")
        failure.isHintGeneral = false
        return failure
    }

    /// The same failure with another hint in place of its own.
    func advising(_ text: String) -> Failure {
        var failure = self
        failure.hint = TerminalText.neutralized(text)
        return failure
    }

    /// The same failure, with signatures that would otherwise be lost.
    func rescuing(_ psbt: PSBT) -> Failure {
        var failure = self
        failure.psbt = psbt
        return failure
    }
}
