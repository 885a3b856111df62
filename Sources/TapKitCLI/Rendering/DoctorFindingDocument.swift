import ReaderDoctor

/// A finding as `--json` shows it.
struct DoctorFindingDocument: Encodable {
    let check: String
    let ok: Bool
    let evidence: String
    let remedy: String?

    init(_ finding: DoctorFinding) {
        check = finding.check
        ok = finding.isFine
        evidence = TerminalText.neutralized(finding.evidence)
        remedy = finding.remedy.map { TerminalText.neutralized($0) }
    }
}
