import Bitcoin
import TapManager

/// All findings that can lose money and were not accepted by their codes. A code accepts every finding that has it: so
/// whoever accepts is told about each of them.
struct UnacceptedFindings: Sendable {
    let findings: [Finding]
    /// The transaction that they are about; `nil`: its amounts are unknown.
    let review: TransactionReview?

    /// No findings.
    static let none = UnacceptedFindings(findings: [], review: nil)

    var isEmpty: Bool { findings.isEmpty }

    /// Each code once, in the order of the findings, with how many have it.
    var codes: [(code: FindingCode, count: Int)] {
        var codes: [(code: FindingCode, count: Int)] = []
        for finding in findings {
            if let index = codes.firstIndex(where: { $0.code == finding.code }) {
                codes[index].count += 1
            } else {
                codes.append((finding.code, 1))
            }
        }
        return codes
    }

    /// Code and words, with what could be lost if that is known.
    var lines: [String] {
        let words = { (finding: Finding) in "\(finding.code.rawValue): \(finding.message)" }
        guard let review else { return FindingText.lines(findings, as: words) }
        return ReviewText(review, findings: findings).withCosts(findings, as: words)
    }
}

extension Failure {
    /// These findings were not accepted by their codes: `--yes` does not accept them, or nobody can be asked.
    /// - Parameter needsYes: whether the command's own question still has to be answered with `--yes`.
    init(notAccepted open: UnacceptedFindings, needsYes: Bool, command: CommandLineText.Repeated = .this) {
        self.init(
            .notAccepted,
            lines: ["Nothing was done. Money could be lost, and this was not accepted by its code:"] + open.lines,
            hint: "To accept it: \(command.accepting(open.codes.map(\.code), needsYes: needsYes))")
        (findings, review) = (open.findings, open.review)
    }

    /// These findings need an answer, but nobody can be asked.
    init(unanswered open: UnacceptedFindings) {
        self.init(
            .notAccepted,
            lines: ["Nothing was signed. Money could be lost, and nobody can be asked:"] + open.lines,
            hint: "Sign it on a terminal with tapkit sign, or install pinentry.")
        (findings, review) = (open.findings, open.review)
    }
}
