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

    /// The findings that need acceptance and do not have it; only the first one of each kind.
    func open(_ findings: [Finding]) -> [Finding] {
        var seen = codes
        return findings.filter { $0.severity == .warning && $0.code.needsAcceptance && seen.insert($0.code).inserted }
    }
}

extension Failure {
    /// `--yes` was given, but does not accept these findings.
    init(notAccepted findings: [Finding], command: CommandLineText.Repeated = .this) {
        self.init(
            .notAccepted,
            lines: ["Nothing was done. Money could be lost, and --yes does not accept that:"]
                + Self.lines(findings),
            hint: "To accept it: \(command.accepting(findings.map(\.code)))")
        self.findings = findings
    }

    /// These findings need an answer, but nobody can be asked.
    init(unanswered findings: [Finding]) {
        self.init(
            .notAccepted,
            lines: ["Nothing was signed. Money could be lost, and nobody can be asked:"] + Self.lines(findings),
            hint: "Sign it on a terminal with tapkit sign, or install pinentry.")
        self.findings = findings
    }

    private static func lines(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.code.rawValue): \($0.message)" }
    }
}

extension CommandLineText {
    /// The running command, as the user would type it again.
    struct Repeated {
        let words: [String]

        /// As it was started.
        static var this: Repeated { Repeated(words: ["tapkit"] + CommandLine.arguments.dropFirst()) }

        /// With the findings accepted.
        func accepting(_ codes: [FindingCode]) -> String {
            let options = codes.flatMap { ["--accept", $0.rawValue] }
            let end = words.firstIndex(of: "--") ?? words.endIndex
            return (Array(words[..<end]) + options + Array(words[end...])).map(ShellWord.quoted).joined(separator: " ")
        }
    }
}
