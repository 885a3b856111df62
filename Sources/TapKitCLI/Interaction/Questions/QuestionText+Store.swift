import Bitcoin
import TapManager

extension QuestionText {
    /// Whether coins are thawed.
    init(thawing coins: [Outpoint]) {
        let isOne = coins.count == 1
        lines = ["These labels thaw \(isOne ? "a frozen coin" : "frozen coins"):"] + coins.map { "  \($0)" }
        question = "Let \(isOne ? "it" : "them") be spent from now on?"
    }

    /// Whether a wallet is forgotten.
    init(removing wallet: StoredWallet) {
        lines = wallet.descriptors
        question =
            "Forget the wallet “\(wallet.name)”? Without these descriptors its addresses cannot be found again."
    }

    /// Whether a transaction is forgotten.
    init(deleting asked: DeletionQuestion, now: UnixTime) {
        lines =
            asked.summary.map { TransactionLine($0, now: now).lines }
            ?? ["\(asked.id)", "  It cannot be read: \(asked.fault ?? "")."]
        question = "Forget this transaction and its signatures?"
    }
}
