import ReaderDoctor
import TextLayout

/// The doctor's findings as lines for the user.
enum DiagnosisText {
    /// Problems first, then possible problems, then what is fine; each from cause to effect.
    static func lines(_ diagnosis: Diagnosis) -> [String] {
        let order: [(DoctorFinding.Weight, String)] = [(.problem, "PROBLEM"), (.note, "note   "), (.fine, "ok     ")]
        var lines: [String] = []
        for (weight, mark) in order {
            for finding in diagnosis.findings where finding.weight == weight {
                lines.append(TerminalText.neutralized("\(mark)  \(finding.check): \(finding.evidence)"))
                if let remedy = finding.remedy { lines.append(TerminalText.neutralized("         Remedy: \(remedy)")) }
            }
        }
        guard diagnosis.isUsable else { return lines }
        let option = diagnosis.kindToName.map { ", with --reader \($0.rawValue)" }
        return lines + ["A card can be used now\(option ?? "")."]
    }
}
