import Bitcoin
import FrontEndText
import TapManager
import TextLayout

extension QuestionText {
    /// Asks whether to unfreeze coins.
    init(thawing coins: [Outpoint]) {
        let isOne = coins.count == 1
        lines = ["These labels unfreeze \(isOne ? "a coin" : "coins"):"] + coins.map { "  \($0)" }
        question = "Allow \(isOne ? "it" : "them") to be spent?"
    }

    /// Asks whether a wallet is the right one, before a card registers it.
    init(registering asked: RegistrationQuestion) {
        let wallet = asked.wallet
        lines = ["Wallet “\(TerminalText.neutralized(asked.name))” (\(wallet.network)):"]
        lines += wallet.policyTemplates.map { "  \($0)" }
        if !asked.spendingPaths.isEmpty {
            lines.append("Spending paths:")
            lines += asked.spendingPaths.map { "  \($0.number)  \($0.words)" }
        }
        if wallet.hasUnlistedPaths { lines.append(WalletText.unlistedPaths) }
        lines.append("Keys:")
        for (number, key) in wallet.shownKeys.enumerated() {
            let isOwn = key.origin != nil && key.origin?.fingerprint == asked.fingerprint
            let origin = key.origin.map { "\($0.fingerprint) at \($0.path)" } ?? "without an origin"
            lines.append("  @\(number)  \(origin)\(isOwn ? ", this card's fingerprint" : "")")
            lines.append("      \(key.text)")
        }
        lines += asked.firstAddress.map { ["First address: \($0)"] } ?? []
        lines.append("Compare this with your own copy, or with your cosigners': the card cannot show it.")
        question = "Is this the right wallet, and should card \(asked.signer.label) register it?"
        untouched = Self.nothingSigned
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
        if asked.isUnderWay {
            lines.append(
                "A chain server was given this transaction, and may still relay it: deleting it here does not stop "
                    + "that.")
        } else if asked.canBeSentByOthers {
            lines.append(
                asked.summary?.isComplete == true
                    ? "This transaction is signed: whoever has a copy can send it."
                    : "This transaction is signed in part: whoever has a copy and can add the rest can send it.")
            lines.append("Deleting it here does not take a signature back.")
        }
        if asked.isUnderWay || asked.canBeSentByOthers {
            lines.append("Once it is deleted, you may not be warned before you pay the same address again.")
        }
        if asked.isUnderWay {
            // An order cannot name coins of a transaction that a server was given.
            if asked.canBeBumped { lines.append("To replace it, answer no and use tapkit tx bump.") }
        } else if asked.canBeSentByOthers {
            lines.append(
                "To be sure to pay only once, let the new payment spend one of the coins that this one spends: then "
                    + "only one of the two can be confirmed.")
        }
        question = "Delete this transaction and its signatures?"
    }
}
