import ReaderDoctor
import TextLayout

/// A finding as JSON.
package struct DoctorFindingDocument: Encodable {
    let check: String
    let ok: Bool
    let evidence: String
    let remedy: String?

    /// A finding whose evidence and remedy may have come from outside: both are made harmless.
    package init(_ finding: DoctorFinding) {
        check = finding.check
        ok = finding.isFine
        evidence = TerminalText.neutralized(finding.evidence)
        remedy = finding.remedy.map { TerminalText.neutralized($0) }
    }
}
