import Bitcoin
import FrontEndText
import TapManager
import Terminal

extension QuestionText {
    /// What windows ask before the one that asks for the CVC.
    struct Window {
        let question: String
        /// Line by line.
        let reasons: [String]
    }

    /// What has to be asked in windows of its own. The one that asks for the CVC names each output if they are few; if they
    /// are many and were not shown for another card, or if something has changed, everything is shown first.
    /// - Returns: `nil` if the question for the CVC says everything that there is to say.
    func window(for asked: SigningQuestion) -> Window? {
        let isWorse = if case .worse = asked.occasion { true } else { false }
        let isSeen = asked.occasion == .furtherSigner || asked.review.outputs.count <= TransactionReview.namedOutputs
        let isTold = isSeen && !isWorse
        guard !isTold || !warnings.isEmpty else { return nil }
        let anyway = warnings.isEmpty ? "" : " anyway"
        return Window(
            question: "Sign it\(anyway) with \(asked.signer.name)?",
            reasons: isTold ? warnings : screen.map(\.text))
    }

    /// Asks whether to sign a transaction.
    init(signing asked: SigningQuestion) {
        let text = ReviewText(asked.review, findings: asked.findings)
        let inputs = asked.signatureCount.map { " \($0.counted("input"))" } ?? ""
        var still = ""
        switch asked.occasion {
        case .first: review = text.screen
        case .furtherSigner: review = text.warningLines.map { ScreenLine($0, .alarm) }
        case .worse(let news):
            review =
                [
                    ScreenLine(
                        "\(asked.signer.holder) keys show that the transaction is riskier than shown before:", .alarm)
                ]
                + text.warnings(news).map { ScreenLine("  " + $0, .alarm) } + text.screen
            still = " anyway"
        }
        question = "Sign\(inputs) with \(asked.signer.name)\(still)?"
        (findings, transaction) = (asked.findings, asked.review)
        untouched = Self.nothingSigned
        warnings = text.warningLines
    }

    /// Asks whether to send a signed transaction. Warnings that cards of this store accepted are not asked about
    /// again.
    init(sending shown: StoredTransactionReview, to server: String) {
        review = StoredTransactionText(shown).review(now: .now())
        question = "Send it through \(server)?"
        (findings, transaction) = (shown.unacceptedFindings, shown.review)
        untouched = "Nothing was sent."
        occasion = .onTerminalOnly
    }
}

extension SigningQuestion.Signer {
    /// Whose key signs, worded to follow “with”.
    var name: String {
        switch self {
        case .card(let card): "card \(card.label)"
        case .backup(let fingerprint?): "the backup of \(fingerprint)"
        case .backup(nil): "the key in the backup"
        }
    }

    /// Whose keys they are, worded to start a sentence.
    fileprivate var holder: String {
        switch self {
        case .card: "The card's"
        case .backup: "The backup's"
        }
    }
}
