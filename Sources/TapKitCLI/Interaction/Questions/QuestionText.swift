import TapManager
import Terminal

/// A question as the user sees it.
struct QuestionText {
    /// Why something is asked. This decides what an answer given in advance is worth.
    enum Occasion {
        /// The command's own task: `--yes` says yes, and findings are accepted by name.
        case task
        /// A warning that is also part of the answer: with `--yes` it is not shown twice.
        case warning
        /// An offer to do something that was not asked for: only a user can say yes.
        case offer
        /// Findings are shown; only those that can lose money are asked about.
        case finding
        /// Nothing is lost by it, or it was confirmed before: asked on a terminal; without one, shown and done.
        case onTerminalOnly
    }

    /// The transaction in question, which is shown first.
    var review: [ScreenLine] = []
    /// What is shown before the question.
    var lines: [String] = []
    let question: String
    /// The word to type to continue; `nil`: the answer is yes or no.
    var typedWord: String?
    /// The findings that are shown before the question.
    var findings: [Finding] = []
    /// The transaction that they are about; `nil`: its amounts are unknown.
    var transaction: TransactionReview?
    /// The warnings, one per line.
    var warnings: [String] = []
    var occasion = Occasion.task
    /// What a no leaves undone, after “Cancelled.”.
    var untouched = nothingChanged

    /// The findings that can lose money and were not accepted.
    func open(for acceptance: Acceptance) -> UnacceptedFindings { acceptance.open(findings, in: transaction) }

    /// Everything that is shown before the question.
    var screen: [ScreenLine] { review + lines.map { ScreenLine($0) } }
}

extension QuestionText {
    static let nothingChanged = "Nothing was changed."
    static let nothingShown = "Nothing was shown."
    static let nothingSigned = "Nothing was signed."

    /// - Parameter width: the terminal's columns, for texts in a block of their own.
    init(_ question: Question, width: Int = 80) {
        switch question {
        case .sign(let asked): self.init(signing: asked)
        case .signMessage(let asked): self.init(signing: asked, width: width)
        case .signKeyRecord(let card, let path, let key, let isEncrypted, let description):
            self.init(recording: card, at: path, key, isEncrypted: isEncrypted, description: description)
        case .registerWallet(let asked): self.init(registering: asked)
        case .openBackup:
            self.init(
                question: "Decrypt this backup and show its master private key on this screen?",
                untouched: Self.nothingShown)
        case .showMasterKey(let fingerprint):
            self.init(
                question: "Anyone who sees this key can take all the money of the card with the fingerprint "
                    + "\(fingerprint), without the card or its CVC.",
                typedWord: "SHOW", untouched: Self.nothingShown)
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
                lines: [SlotText.unprovenNextSlotWarning], question: "Set up a slot of this card anyway?",
                occasion: .warning, untouched: "No slot was set up.")
        case .changeReadyCard(let card, let path, let changesCVC):
            self.init(changing: card, to: path, changesCVC: changesCVC)
        case .shareSingleKeyAccounts(let cards): self.init(sharing: cards)
        case .useCosignersAccount(let card, let path): self.init(using: card, at: path)
        case .unseal(let asked): self.init(unsealing: asked)
        case .setUpNextSlot(_, let slot):
            self.init(
                question: "Set up slot \(slot) now, so that the card can receive money again?", occasion: .offer,
                untouched: "Slot \(slot) was not set up.")
        case .send(let shown, let server): self.init(sending: shown, to: server)
        case .payAgain(let findings):
            self.init(
                lines: FindingText.lines(findings), question: "Pay again?", findings: findings, occasion: .finding)
        case .thaw(let coins): self.init(thawing: coins)
        case .removeWallet(let wallet): self.init(removing: wallet)
        case .deleteTransaction(let asked): self.init(deleting: asked, now: .now())
        case .forgetCard(let card):
            self.init(
                question:
                    "Forget what is stored about \(card.product.displayName) \(card.ident.called(card.shownName))?")
        }
    }
}
