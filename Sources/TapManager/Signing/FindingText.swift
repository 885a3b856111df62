import Bitcoin

/// Findings as text for people. Only the first few of a kind are shown, as a PSBT can have thousands.
package enum FindingText {
    /// How many findings of one kind, and how many fingerprints, are shown.
    private static let listed = 5

    /// One finding on each line, in order.
    /// - Parameter words: turns a finding into text.
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
