import TapManager

/// The question whether slots are swept, for people.
struct SweepQuestionText {
    private let asked: SweepQuestion

    init(_ question: SweepQuestion) { asked = question }

    /// What is shown before the question.
    var lines: [String] {
        let lines = ReviewText(asked.review, findings: asked.findings).lines
        return switch asked.leftBehind.count {
        case 0: lines
        case 1: lines + ["One coin costs more than it is worth, and stays."]
        case let count: lines + ["\(count) coins cost more than they are worth, and stay."]
        }
    }

    var question: String {
        let slots = asked.slots.map(\.description).joined(separator: ", ")
        let sweep = "weep slot\(asked.slots.count == 1 ? "" : "s") \(slots) of \(asked.card.label)?"
        return asked.openedSlot.map { "Open slot \($0) for good, and s\(sweep)" } ?? "S\(sweep)"
    }
}
