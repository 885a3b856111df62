import Bitcoin
import ExplainedErrors
import TapManager
import TextLayout

/// Something that a program tells its user.
package struct NoticeDocument: Encodable {
    /// What it is about; the names do not change.
    let notice: String
    /// The ident of the card.
    private(set) var card: String?
    private(set) var slot: Int?
    /// Whether it is certain; otherwise it is only possible.
    private(set) var certain: Bool?
    private(set) var seconds: Int?
    private(set) var done: Int?
    private(set) var total: Int?
    private(set) var count: Int?
    private(set) var server: String?
    /// A transaction's id.
    private(set) var id: String?
    private(set) var amountSat: Int64?
    /// In satoshis for each virtual byte.
    private(set) var satPerVb: Double?
    private(set) var blocks: Int?
    private(set) var path: String?
    private(set) var file: String?
    private(set) var fingerprint: String?
    private(set) var findings: [FindingDocument]?
    private(set) var review: ReviewedTransactionDocument?
    private(set) var missing: NextSignerDocument?
    private(set) var problem: ProblemDocument?
    /// What it says, for programs without words of their own for it.
    private(set) var message: String?

    /// A notice with what it names; everything else is absent.
    package init(_ notice: Notice) {
        switch notice {
        case .request(.attachReader): self.notice = "attach_reader"
        case .request(.layCard): self.notice = "place_card"
        case .request(.layCards): self.notice = "place_cards"
        case .request(.layNextCard): self.notice = "place_next_card"
        case .request(.layNextSigner(let signers)):
            (self.notice, missing) = ("place_next_signer", NextSignerDocument(signers.tally))
        case .obstacle(let error): (self.notice, problem) = ("obstacle", ProblemDocument(explaining: error))
        case .tampered(let card): (self.notice, self.card) = ("tampered", card.ident.text)
        case .lockedOut(let card):
            (self.notice, self.card, seconds) = ("locked_out", card.ident.text, card.status.authDelaySeconds)
        case .cannotHelp(let card): (self.notice, self.card) = ("cannot_help", card.ident.text)
        case .accounts(let done, let total): (self.notice, self.done, self.total) = ("accounts", done, total)
        case .review(let review, let findings):
            (self.notice, self.review) = ("review", ReviewedTransactionDocument(review, findings: findings))
        case .alreadySigned(let review, let findings):
            (self.notice, self.review) = ("already_signed", ReviewedTransactionDocument(review, findings: findings))
        case .vanished(let count, let server):
            (self.notice, self.count, self.server) = ("vanished", count, TerminalText.neutralized(server))
        case .restored(let id): (self.notice, self.id) = ("restored", id.description)
        case .overtaken(let id): (self.notice, self.id) = ("overtaken", id.description)
        case .sentUnstored(let id): (self.notice, self.id) = ("sent_unstored", id.description)
        case .feeRate(let rate, let blocks):
            (self.notice, satPerVb, self.blocks) = ("fee_rate", Double(rate.satoshisPerVirtualByteText), blocks)
        case .unconfirmedStay(let amount): (self.notice, amountSat) = ("unconfirmed_stay", amount.satoshis)
        case .coinsStay(let coins):
            (self.notice, count, amountSat) = ("coins_stay", coins.count, coins.amount.satoshis)
        case .spendsUnconfirmed: self.notice = "spends_unconfirmed"
        case .resumingSweep(let id): (self.notice, self.id) = ("resuming_sweep", id.description)
        case .unsoundWallet(let error): (self.notice, problem) = ("unsound_wallet", ProblemDocument(explaining: error))
        case .findings(let findings):
            (self.notice, self.findings) = ("findings", findings.map { FindingDocument($0, in: nil) })
        case .leftAway(let card, let path, _):
            (self.notice, self.card, self.path) = ("path_not_restored", card.ident.text, path.description)
        case .setupUnfinished(let card): (self.notice, self.card) = ("setup_unfinished", card.ident.text)
        case .notBackedUp(let card): (self.notice, self.card) = ("not_backed_up", card.ident.text)
        case .noBackup(let card, let file):
            (self.notice, self.card, self.file) = ("no_backup", card.ident.text, TerminalText.neutralized(file.path))
        case .slotKeyExposed(let card, let slot, let isCertain):
            (self.notice, self.card, self.slot) = ("slot_key_exposed", card.ident.text, slot.forPeople)
            (certain, message) = (isCertain, ExposedSlotKey.words(slot, isCertain: isCertain))
        case .openingNotKept(let card, let error):
            (self.notice, self.card, problem) = (
                "unsealing_not_kept", card.ident.text, ProblemDocument(explaining: error)
            )
        case .keyIsHot(let fingerprint): (self.notice, self.fingerprint) = ("key_is_hot", fingerprint.description)
        case .backupCutOff: self.notice = "backup_cut_off"
        case .notKept(let error): (self.notice, problem) = ("not_kept", ProblemDocument(explaining: error))
        }
    }
}

extension ProblemDocument {
    /// An error in the words of the layer where it arose.
    package init(explaining error: any ExplainedError) {
        self.init(code: error.code, message: error.message, hint: error.remedy)
    }
}
