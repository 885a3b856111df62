import Bitcoin

/// Findings as text for people: of what a PSBT can have thousands of, only the first few.
package enum FindingText {
    /// So many findings of one kind, and so many fingerprints, are written out.
    private static let listed = 5

    /// One sentence a line, in the order of the findings.
    /// - Parameter words: how one is told.
    package static func lines(
        _ findings: [Finding], as words: (Finding) -> String = \.message
    ) -> [String] {
        var counts: [FindingCode: Int] = [:]
        var lines: [String] = []
        for finding in findings {
            counts[finding.code, default: 0] += 1
            if counts[finding.code, default: 0] <= listed { lines.append(words(finding)) }
        }
        let rest = counts.filter { $0.value > listed }.sorted { $0.key.rawValue < $1.key.rawValue }
        return lines + rest.map { "… and \($0.value - listed) more of the kind \($0.key.rawValue)" }
    }

    /// Fingerprints in one line, in their order.
    package static func list(_ fingerprints: [Fingerprint]) -> String {
        let first = fingerprints.prefix(listed).map(\.description).joined(separator: ", ")
        return first + (fingerprints.count > listed ? " and \(fingerprints.count - listed) more" : "")
    }
}
