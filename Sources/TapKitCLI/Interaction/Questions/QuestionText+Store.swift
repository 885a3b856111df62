import Bitcoin
import TapManager

extension QuestionText {
    /// Asks whether to unfreeze coins.
    init(thawing coins: [Outpoint]) {
        let isOne = coins.count == 1
        lines = ["These labels unfreeze \(isOne ? "a coin" : "coins"):"] + coins.map { "  \($0)" }
        question = "Allow \(isOne ? "it" : "them") to be spent?"
    }

    /// Asks whether to remove a wallet.
    init(removing wallet: StoredWallet) {
        lines = wallet.descriptors.map(\.description)
        question =
            "Remove the wallet “\(wallet.name)”? Without these descriptors its addresses cannot be found again."
    }

    /// Asks whether to delete a transaction.
    init(deleting asked: DeletionQuestion, now: UnixTime) {
        lines =
            asked.summary.map { TransactionLine($0, on: asked.network, now: now).lines }
            ?? ["\(asked.id)", "  \(asked.fault?.message ?? "")"]
        question = "Delete this transaction and its signatures?"
    }
}
