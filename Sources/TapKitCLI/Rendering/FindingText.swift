import TapManager

/// Findings as lines for people: of a kind that many inputs share, only the first few.
enum FindingText {
    /// So many findings of one kind are written out.
    private static let listed = 5

    /// One sentence a line, in the order of the findings.
    static func lines(_ findings: [Finding]) -> [String] {
        var counts: [FindingCode: Int] = [:]
        var lines: [String] = []
        for finding in findings {
            counts[finding.code, default: 0] += 1
            if counts[finding.code, default: 0] <= listed { lines.append(finding.message) }
        }
        let rest = counts.filter { $0.value > listed }.sorted { $0.key.rawValue < $1.key.rawValue }
        return lines + rest.map { "… and \($0.value - listed) more of the kind \($0.key.rawValue)" }
    }
}
