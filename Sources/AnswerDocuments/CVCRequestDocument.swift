import Bitcoin
import TapManager

/// Whose CVC is needed and what for, as a program shows it to its user.
package struct CVCRequestDocument: Encodable {
    let card: ReaderDocument.Card
    /// What it is needed for; the names do not change.
    let purpose: String
    /// The transaction that was confirmed and will be signed.
    let review: ReviewedTransactionDocument?
    /// How many coins are swept.
    let coins: Int?
    /// Why it is asked for again.
    let refusal: ProblemDocument?
    /// Whether the given one was refused before, and therefore not sent to the card.
    let repeated: Bool?

    /// A request, with what was confirmed before.
    package init(_ request: CVCRequest) {
        card = ReaderDocument.Card(request.card)
        var (review, coins): (TransactionReview?, Int?)
        switch request.purpose {
        case .signTransaction(let confirmed): (purpose, review) = ("sign_transaction", confirmed)
        case .sweep(let confirmed, _): (purpose, review, coins) = ("sweep", confirmed, confirmed.inputs.count)
        case .signMessage: purpose = "sign_message"
        case .signKeyRecord: purpose = "sign_key_record"
        case .registerWallet: purpose = "register_wallet"
        case .readAccount: purpose = "read_account"
        case .setUp: purpose = "set_up"
        case .backUp: purpose = "back_up"
        case .compareBackup: purpose = "compare_backup"
        case .changeCVC: purpose = "change_cvc"
        case .derive: purpose = "derive"
        case .setUpSlot: purpose = "set_up_slot"
        case .openSlot: purpose = "unseal"
        case .showSlotKeys: purpose = "show_slot_keys"
        case .proveKeys: purpose = "prove_keys"
        case .proveAddress: purpose = "prove_address"
        case .identify: purpose = "identify"
        }
        self.review = review.map { ReviewedTransactionDocument($0) }
        self.coins = coins
        refusal = request.refusal.map {
            ProblemDocument(code: $0.error.code, message: $0.error.message, hint: $0.error.remedy)
        }
        repeated = request.refusal.map(\.isRepeated)
    }
}
