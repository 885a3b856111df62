import TapManager

/// Answers given beforehand: `--yes` to every question, `--accept CODE` to one finding that can lose money.
///
/// Spec: command line, "Everywhere"; threats, "The store and what is resumed".
struct Acceptance: Sendable {
    /// Whether the question itself is answered.
    let isConfirmed: Bool
    /// The findings that were accepted by name.
    let codes: Set<FindingCode>

    /// Nothing was answered beforehand.
    static let none = Acceptance(isConfirmed: false, codes: [])

    private init(isConfirmed: Bool, codes: Set<FindingCode>) {
        self.isConfirmed = isConfirmed
        self.codes = codes
    }

    /// - Parameter names: the codes of findings, as they were typed.
    /// - Throws: `Failure.usage` for a name that no finding has, or one that nobody needs to accept.
    init(isConfirmed: Bool, accepting names: [String]) throws(Failure) {
        self.isConfirmed = isConfirmed
        var codes: Set<FindingCode> = []
        for text in names {
            guard let code = FindingCode(rawValue: text), code.needsAcceptance else {
                throw Failure(
                    .usage, "--accept takes the code of a finding that can be accepted, not “\(text)”.",
                    hint: "tapkit help findings lists them.")
            }
            codes.insert(code)
        }
        self.codes = codes
    }

    /// Those of the findings that need an answer of their own and have none, each kind once, the first of it.
    func open(_ findings: [Finding]) -> [Finding] {
        var seen = codes
        return findings.filter { $0.severity == .warning && $0.code.needsAcceptance && seen.insert($0.code).inserted }
    }
}

extension Failure {
    /// `--yes` was given, and these findings are not answered by it.
    init(notAccepted findings: [Finding], command: CommandLineText.Repeated = .this) {
        self.init(
            .notAccepted,
            lines: ["Nothing was done: money could be lost here, and --yes does not answer that."]
                + Self.lines(findings),
            hint: "If it is what you want: \(command.accepting(findings.map(\.code)))")
        self.findings = findings
    }

    /// These findings need an answer, and nobody is there to give it.
    init(unanswered findings: [Finding]) {
        self.init(
            .notAccepted,
            lines: ["Nothing was signed: money could be lost here, and nobody can be asked."] + Self.lines(findings),
            hint: "Sign it with tapkit sign on a terminal, or install pinentry.")
        self.findings = findings
    }

    private static func lines(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.code.rawValue): \($0.message)" }
    }
}

extension CommandLineText {
    /// The command that is running, as somebody would type it again.
    struct Repeated {
        let words: [String]

        /// As it was started.
        static var this: Repeated { Repeated(words: ["tapkit"] + CommandLine.arguments.dropFirst()) }

        /// With the findings accepted.
        func accepting(_ codes: [FindingCode]) -> String {
            let options = codes.flatMap { ["--accept", $0.rawValue] }
            let end = words.firstIndex(of: "--") ?? words.endIndex
            return (words[..<end] + options + words[end...]).map(ShellWord.quoted).joined(separator: " ")
        }
    }
}
