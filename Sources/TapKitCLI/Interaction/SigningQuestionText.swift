import TapManager

/// The question whether a transaction is signed, for people.
struct SigningQuestionText {
    private let asked: SigningQuestion
    private let review: ReviewText

    init(_ question: SigningQuestion) {
        asked = question
        review = ReviewText(question.review, findings: question.findings, isOwnerKnown: question.areKeysKnown)
    }

    /// What speaks against it.
    var warningLines: [String] { review.warningLines }

    /// What is shown before the question.
    var lines: [String] {
        switch asked.occasion {
        case .first: return review.lines
        case .furtherSigner: return warningLines
        case .worse: return ["Now that the card has told its keys, this is what it would sign:"] + review.lines
        }
    }

    var question: String {
        let inputs = asked.signatureCount.map { " \($0) input\($0 == 1 ? "" : "s")" } ?? ""
        let still = if case .worse = asked.occasion { " all the same" } else { "" }
        return "Sign\(inputs) with card \(asked.signer.label)\(still)?"
    }
}
