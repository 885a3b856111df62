/// Counts what came of altered answers, by command, for printing.
struct VerdictCounts {
    private var counts: [String: [String: Int]] = [:]
    private(set) var total = 0

    mutating func count(_ verdict: Trial.Verdict, of command: String) {
        let word =
            switch verdict {
            case .unchanged: "unchanged"
            case .changed: "changed without proof"
            case .failed(let code): code
            }
        counts[command, default: [:]][word, default: 0] += 1
        total += 1
    }

    mutating func add(_ other: VerdictCounts) {
        for (command, verdicts) in other.counts {
            for (word, count) in verdicts { counts[command, default: [:]][word, default: 0] += count }
        }
        total += other.total
    }

    /// How many alterations of a command's answers ended in this way.
    func count(of word: String, _ command: String) -> Int { counts[command]?[word] ?? 0 }

    func text(title: String) -> String {
        let lines = counts.sorted { $0.key < $1.key }.map { command, verdicts in
            let parts = verdicts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($1) \($0)" }
            return "  \(command): \(verdicts.values.reduce(0, +)): " + parts.joined(separator: ", ")
        }
        return (["\(title): \(total)"] + lines).joined(separator: "\n")
    }
}
