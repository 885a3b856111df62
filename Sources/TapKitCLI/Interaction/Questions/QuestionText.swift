import TapManager

/// A question as people read it.
struct QuestionText {
    /// Why something is asked, which says what an answer that was given beforehand is worth.
    enum Occasion {
        /// The command is there to do it: `--yes` says yes, and findings are accepted by name.
        case task
        /// A warning that stands before the answer and is part of it: with `--yes` it is not shown twice.
        case warning
        /// Something that the command was not for is offered: only a person says yes.
        case offer
        /// Findings are told; asked about is only what can lose money.
        case finding
        /// Nothing is lost by it, or it was confirmed before: asked on a terminal; without one it is said, and done.
        case onTerminalOnly
    }

    /// The transaction that it is about, which is shown first.
    var review: [ScreenLine] = []
    /// What is shown before the question.
    var lines: [String] = []
    let question: String
    /// What was found, and is shown before the question.
    var findings: [Finding] = []
    /// What speaks against a yes, a line each.
    var warnings: [String] = []
    var occasion = Occasion.task
    /// What a no leaves undone, behind “Cancelled.”.
    var untouched = "Nothing was changed."

    /// All that is shown before the question.
    var screen: [ScreenLine] { review + lines.map { ScreenLine($0) } }
}

extension QuestionText {
    static let nothingShown = "Nothing was shown."
    static let nothingSigned = "Nothing was signed."

    /// - Parameter width: the terminal's columns, for texts in a block of their own.
    init(_ question: Question, width: Int = 80) {
        switch question {
        case .sign(let asked): self.init(signing: asked)
        case .signMessage(let asked): self.init(signing: asked, width: width)
        case .signWithBackup(let fingerprint, let review, let findings, let count):
            self.init(withBackupOf: fingerprint, review, findings: findings, count: count)
        case .openBackup:
            self.init(
                question: "Open this backup and show its master private key on this screen?",
                untouched: Self.nothingShown)
        case .showMasterKey(let fingerprint):
            self.init(
                question:
                    "Whoever reads it can take all the money of card key \(fingerprint), without card or CVC. "
                    + "Is nobody watching, and do you really need it?", untouched: Self.nothingShown)
        case .sweep(let asked): self.init(sweeping: asked)
        case .showSlotKeys:
            self.init(
                lines: [SlotText.listenerWarning], question: "Show the private keys of unsealed slots on this screen?",
                untouched: Self.nothingShown)
        case .showUnprovenAddress(let slot, _):
            self.init(
                lines: [SlotText.unprovenSealWarning], question: "Show the address of slot \(slot) anyway?",
                occasion: .warning, untouched: Self.nothingShown)
        case .setUpUnprovenSlot:
            self.init(
                lines: [SlotText.unprovenSealWarning], question: "Set up a slot of this card anyway?",
                occasion: .warning)
        case .changeReadyCard(let card, let path, let changesCVC):
            self.init(changing: card, to: path, changesCVC: changesCVC)
        case .shareSingleKeyAccounts(let cards): self.init(sharing: cards)
        case .unseal(let asked): self.init(unsealing: asked)
        case .setUpNextSlot(_, let slot):
            self.init(
                question: "Give slot \(slot) a key now, so that the card can receive money again?", occasion: .offer)
        case .send(let shown, let server): self.init(sending: shown, to: server)
        case .payAgain(let findings):
            self.init(
                lines: FindingText.lines(findings), question: "Pay again?", findings: findings, occasion: .finding)
        case .thaw(let coins): self.init(thawing: coins)
        case .removeWallet(let wallet): self.init(removing: wallet)
        case .deleteTransaction(let asked): self.init(deleting: asked, now: .now())
        case .forgetCard(let card):
            self.init(
                question: "Forget what was seen of \(card.product.displayName) \(card.ident.called(card.shownName))?")
        }
    }
}
