import Bitcoin
import TapManager
import TextLayout

/// A question to be agreed to, as a program shows it to its user.
package struct QuestionDocument: Encodable {
    /// Which question; the names do not change.
    let question: String
    /// The card that it is about.
    private(set) var card: ReaderDocument.Card?
    /// What would be signed, sent or deleted.
    private(set) var review: ReviewedTransactionDocument?
    /// Why it is asked again: the findings that are new.
    private(set) var newFindings: [FindingDocument]?
    private(set) var findings: [FindingDocument]?
    /// The codes of the findings that a yes alone does not answer; absent: a yes is enough.
    private(set) var toAccept: [String]?
    /// What these codes stand for.
    private(set) var losses: [LossDocument]?
    /// How many signatures the card makes, as far as that is known.
    private(set) var signatures: Int?
    /// The slots that are concerned, counted from 1.
    private(set) var slots: [Int]?
    /// The slot that is unsealed permanently, counted from 1.
    private(set) var unsealsSlot: Int?
    /// Coins that stay, as spending them costs more than they are worth.
    private(set) var leftBehind: [String]?
    private(set) var server: String?
    private(set) var path: String?
    /// Whether the card gets another CVC.
    private(set) var changesCvc: Bool?
    private(set) var name: String?
    private(set) var coins: [String]?
    /// Of the wallet that would be removed.
    private(set) var descriptors: [String]?
    private(set) var id: String?
    /// True if a chain server was given the transaction that would be deleted, and may still pass it on; else absent.
    private(set) var underWay: Bool?
    /// True if the transaction that would be deleted has a signature, so that whoever has a copy can send it as soon as
    /// it is complete, and no chain server was given it; else absent.
    private(set) var signed: Bool?
    private(set) var idents: [String]?
    /// The wallet that would be registered.
    private(set) var registration: RegisteringDocument?

    /// A question with what it is about; everything else is absent.
    package init(_ question: Question) {
        switch question {
        case .sign(let asked):
            self.question = "sign"
            if case .card(let card) = asked.signer { self.card = ReaderDocument.Card(card) }
            review = ReviewedTransactionDocument(asked.review, findings: asked.findings)
            if case .worse(let news) = asked.occasion {
                newFindings = news.map { FindingDocument($0, in: asked.review) }
            }
            signatures = asked.signatureCount
        case .sweep(let asked):
            self.question = "sweep"
            card = ReaderDocument.Card(asked.card)
            review = ReviewedTransactionDocument(asked.review, findings: asked.findings)
            slots = asked.slots.map(\.forPeople)
            unsealsSlot = asked.openedSlot?.forPeople
            leftBehind = asked.leftBehind.map(\.description)
        case .send(let shown, let server):
            self.question = "send"
            id = shown.transaction.id.description
            review = shown.review.map { ReviewedTransactionDocument($0) }
            findings = shown.unacceptedFindings.map { FindingDocument($0, in: shown.review) }
            self.server = TerminalText.neutralized(server)
        case .payAgain(let findings):
            self.question = "pay_again"
            self.findings = findings.map { FindingDocument($0, in: nil) }
        case .signMessage(let asked): (self.question, card) = ("sign_message", ReaderDocument.Card(asked.signer))
        case .signKeyRecord(let card, let path, _, _, let description):
            (self.question, self.card) = ("sign_key_record", ReaderDocument.Card(card))
            (self.path, name) = (path.description, TerminalText.neutralized(description))
        case .registerWallet(let asked):
            (self.question, card) = ("register_wallet", ReaderDocument.Card(asked.signer))
            (name, registration) = (TerminalText.neutralized(asked.name), RegisteringDocument(asked))
        case .openBackup: self.question = "open_backup"
        case .showMasterKey: self.question = "show_master_key"
        case .showSlotKeys(let card): (self.question, self.card) = ("show_slot_keys", ReaderDocument.Card(card))
        case .showUnprovenAddress(let slot, let card):
            (self.question, self.card) = ("show_unproven_address", ReaderDocument.Card(card))
            slots = [slot.forPeople]
        case .setUpUnprovenSlot(let card):
            (self.question, self.card) = ("set_up_unproven_slot", ReaderDocument.Card(card))
        case .changeReadyCard(let card, let path, let changesCVC):
            (self.question, self.card) = ("change_ready_card", ReaderDocument.Card(card))
            (self.path, changesCvc) = (path?.description, changesCVC)
        case .shareSingleKeyAccounts(let cards):
            (self.question, idents) = ("share_single_key_accounts", cards.map(\.ident.text))
        case .useCosignersAccount(let card, let path):
            (self.question, self.card) = ("use_cosigners_account", ReaderDocument.Card(card))
            self.path = path.description
        case .unseal(let asked): (self.question, card) = ("unseal", ReaderDocument.Card(asked.card))
        case .setUpNextSlot(let card, let slot):
            (self.question, self.card) = ("set_up_next_slot", ReaderDocument.Card(card))
            slots = [slot.forPeople]
        case .thaw(let coins): (self.question, self.coins) = ("thaw", coins.map(\.description))
        case .removeWallet(let wallet):
            (self.question, name) = ("remove_wallet", TerminalText.neutralized(wallet.name))
            descriptors = wallet.descriptors.map { TerminalText.neutralized($0.description) }
        case .deleteTransaction(let asked):
            (self.question, id) = ("delete_transaction", asked.id.description)
            review = asked.review.map { ReviewedTransactionDocument($0) }
            underWay = asked.isUnderWay ? true : nil
            signed = asked.canBeSentByOthers ? true : nil
        case .forgetCard(let card): (self.question, idents) = ("forget_card", [card.ident.text])
        }
        let losses = LossDocument.all(Self.losses(in: question))
        self.losses = losses.isEmpty ? nil : losses
        toAccept = self.losses?.map(\.code)
    }

    /// The findings that a yes alone does not answer: each must be accepted by its code.
    package static func losses(in question: Question) -> [Finding] {
        let findings: [Finding] =
            switch question {
            case .sign(let asked): asked.findings
            case .sweep(let asked): asked.findings
            case .send(let shown, _): shown.unacceptedFindings
            case .payAgain(let findings): findings
            default: []
            }
        return findings.filter { $0.severity == .warning && $0.code.needsAcceptance }
    }
}
