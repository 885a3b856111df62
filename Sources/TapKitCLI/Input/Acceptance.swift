import TapManager
import TextLayout

/// Answers given in advance: `--yes` to every question, `--accept CODE` to one finding that can lose money.
///
/// Spec: command line, "Everywhere"; threats, "The store and what is resumed".
struct Acceptance: Sendable {
    /// Whether the question itself was answered with yes.
    let isConfirmed: Bool
    /// The findings that were accepted by name.
    let codes: Set<FindingCode>

    /// Nothing was answered in advance.
    static let none = Acceptance(isConfirmed: false, codes: [])

    private init(isConfirmed: Bool, codes: Set<FindingCode>) {
        self.isConfirmed = isConfirmed
        self.codes = codes
    }

    /// - Parameter names: the codes of findings, as they were typed.
    /// - Throws: `Failure.usage` for an unknown code, or one that does not need acceptance.
    init(isConfirmed: Bool, accepting names: [String]) throws(Failure) {
        self.isConfirmed = isConfirmed
        var codes: Set<FindingCode> = []
        for text in names {
            guard let code = FindingCode(rawValue: text), code.needsAcceptance else {
                throw Failure(
                    .usage, "--accept takes the code of a finding that can be accepted, not “\(text)”.",
                    hint: "List them with tapkit help findings.")
            }
            codes.insert(code)
        }
        self.codes = codes
    }

    /// The findings that need acceptance and do not have it.
    /// - Parameter review: the transaction that they are about; `nil`: its amounts are unknown.
    func open(_ findings: [Finding], in review: TransactionReview?) -> UnacceptedFindings {
        UnacceptedFindings(
            findings: findings.filter {
                $0.severity == .warning && $0.code.needsAcceptance && !codes.contains($0.code)
            }, review: review)
    }
}

extension CommandLineText {
    /// The running command, as the user would type it again.
    struct Repeated {
        let words: [String]

        /// As it was started.
        static var this: Repeated { Repeated(words: ["tapkit"] + CommandLine.arguments.dropFirst()) }

        /// With the findings accepted.
        /// - Parameter needsYes: whether a question must be answered as well.
        func accepting(_ codes: [FindingCode], needsYes: Bool) -> String {
            let options = codes.flatMap { ["--accept", $0.rawValue] } + (needsYes ? ["--yes"] : [])
            let end = words.firstIndex(of: "--") ?? words.endIndex
            return (Array(words[..<end]) + options + Array(words[end...])).map(ShellWord.quoted).joined(separator: " ")
        }
    }
}
