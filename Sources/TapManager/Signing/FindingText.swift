import Bitcoin

/// Findings as text for people. Only a few of a kind are shown, as a PSBT can have thousands: those with the most at
/// stake, so that none is hidden behind many that cost nothing.
package enum FindingText {
    /// How many findings of one kind, and how many fingerprints, are shown.
    private static let listed = 5

    /// One finding on each line, kind by kind: in order or, if there are more than are shown, the largest stake first.
    /// - Parameters:
    ///   - stake: the money that could be lost because of a finding; `nil`: none, or the amount is unknown.
    ///   - words: turns a finding into text.
    ///   - rest: turns the findings of one kind that are not shown, at least one, into one line.
    package static func lines(
        _ findings: [Finding], stake: (Finding) -> Amount? = { _ in nil },
        as words: (Finding) -> String = \.message, rest: ([Finding]) -> String = more
    ) -> [String] {
        kinds(of: findings).flatMap { alike in
            guard alike.count > listed else { return alike.map(words) }
            let weighed = alike.map { (finding: $0, stake: stake($0) ?? .zero) }
            let sorted = weighed.sorted { $0.stake > $1.stake }.map(\.finding)
            return sorted.prefix(listed).map(words) + [rest(Array(sorted.dropFirst(listed)))]
        }
    }

    /// How many findings of one kind are not shown.
    package static func more(_ rest: [Finding]) -> String {
        "… and \(rest.count) more of the kind \(rest.first?.code.rawValue ?? "")"
    }

    /// Fingerprints in one line, in their order.
    package static func list(_ fingerprints: [Fingerprint]) -> String {
        let first = fingerprints.prefix(listed).map(\.description).joined(separator: ", ")
        return first + (fingerprints.count > listed ? " and \(fingerprints.count - listed) more" : "")
    }

    /// The findings by kind, in the order in which the kinds first occur.
    private static func kinds(of findings: [Finding]) -> [[Finding]] {
        var places: [Kind: Int] = [:]
        var kinds: [[Finding]] = []
        for finding in findings {
            let place = places[Kind(finding), default: kinds.count]
            if place == kinds.count {
                places[Kind(finding)] = place
                kinds.append([])
            }
            kinds[place].append(finding)
        }
        return kinds
    }

    /// What findings have in common if one of them stands for the others. A hash type that gives away all outputs does
    /// not hide behind others, nor does what a program's own check says.
    private struct Kind: Hashable {
        let code: FindingCode
        let consequence: String

        init(_ finding: Finding) {
            code = finding.code
            consequence = [.sighashNotAll, .policy].contains(finding.code) ? finding.detail : ""
        }
    }
}
