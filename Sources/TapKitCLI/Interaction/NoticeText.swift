import AnswerDocuments
import TapManager
import Terminal

/// A manager's notice, for the user or, with `--json --progress`, for programs.
struct NoticeText {
    private let notice: Notice

    init(_ notice: Notice) { self.notice = notice }

    /// The warning about a card that reports tampering, whatever it is used for.
    static let tampered = "The card reports that it was TAMPERED WITH. Do not trust it with money any more."

    /// What an unusable store means for a transaction.
    static let transactionNotKept = "The transaction is not stored."

    /// Writes it to standard error.
    func write(to console: Console) {
        if case .request(.layNextSigner(let missing)) = notice, console.isFollowed {
            console.progress(JSONAnswer.text(NextSignerDocument(missing.tally)))
        } else {
            // Clears a progress line that is being redrawn.
            if console.isErrorTerminal { console.redraw("") }
            console.note(screen: screen)
        }
    }

    private var screen: [ScreenLine] {
        if case .alreadySigned(let review, let findings) = notice {
            return ReviewText(review, findings: findings).screen
        }
        return lines.map { ScreenLine($0) }
    }

    private var lines: [String] {
        switch notice {
        case .request(let request): [Self.words(request)]
        case .obstacle(let error): Self.lines(Failure(error))
        case .tampered: [Self.tampered]
        case .lockedOut(let card): [Self.lockedOut(card.status.authDelaySeconds)]
        case .cannotHelp(let card): ["\(card.label) cannot sign any input."]
        case .accounts(let count, let needed):
            ["\(count) of \(needed) cards read. Put the next one on the reader…"]
        case .alreadySigned: []
        case .review(let review, let findings):
            ["Now that the keys are known:"] + ReviewText(review, findings: findings).newsOfChange
        case .vanished(let count, let server):
            [
                "\(count.counted("transaction that was", "transactions that were")) deep in the chain "
                    + "\(count == 1 ? "is" : "are") missing from it now, according to \(server). The server may lag "
                    + "behind, or follow another chain. Ask another server."
            ]
        case .restored(let id):
            [
                "The payment \(id.abbreviated) was stored again: it is signed, and can still be confirmed. "
                    + "To delete it: tapkit tx delete \(id.abbreviated)"
            ]
        case .overtaken(let id):
            [
                "The stored transaction \(id.abbreviated) can no longer be sent: a confirmed transaction spends its "
                    + "coins. To delete it: tapkit tx delete \(id.abbreviated)"
            ]
        case .sentUnstored(let id):
            [
                "The transaction \(id.abbreviated) was sent, although it had just been deleted from the store. It stays deleted."
            ]
        case .feeRate(let rate, let blocks):
            ["Fee rate for \(blocks.counted("block")), according to the server: \(rate)"]
        case .unconfirmedStay(let amount):
            ["\(amount.satoshis) sat are unconfirmed and will be left behind; --unconfirmed includes them."]
        case .coinsStay(let coins): [coins.words]
        case .spendsUnconfirmed:
            ["The transaction spends unconfirmed coins: if the sender takes them back, it becomes invalid."]
        case .resumingSweep(let id): ["Resuming the stored transaction \(id.abbreviated)."]
        case .unsoundWallet(let error):
            [Failure(error)].map { "WARNING: \($0.message) \($0.hint)" }
        case .findings(let findings): FindingText.lines(findings)
        case .leftAway(_, let path, let own):
            [
                "The card is still at path \(path), not at its own. Move it back with tapkit derive \(own)."
            ]
        case .setupUnfinished(let card):
            [
                "The setup of \(card.label) was interrupted. Finish it before anybody pays to the card; tapkit status "
                    + "shows the command."
            ]
        case .notBackedUp(let card):
            [
                "\(card.label) has made no backup yet: if it gets lost, so does its key. Make one with tapkit backup."
            ]
        case .noBackup(let card, let file):
            ["A \(card.status.product.displayName) has no backup; \(file.path) was not written."]
        case .slotKeyExposed(_, let slot, let isCertain):
            ["WARNING: " + ExposedSlotKey.words(slot, isCertain: isCertain)]
        case .openingNotKept(_, let error):
            ProblemDocument(Failure(error).prefixed("The store could not record that the slot's key was shown: ")).lines
        case .keyIsHot:
            [
                "WARNING: The backup was decrypted on this machine, so its key is HOT now. Move all its money to a new key."
            ]
        case .backupCutOff: ["The file is cut off in the middle of the path. The master key is complete."]
        case .notKept(let error): ProblemDocument(Failure(error)).lines(Self.transactionNotKept)
        }
    }

    /// The lockout, before anything is asked; if the user continues, the task waits it out.
    static func lockedOut(_ seconds: Int) -> String {
        "The card is locked out after wrong CVCs: \(seconds.counted("second")) left. Leave it on the reader: tapkit "
            + "waits after you enter the CVC. To wait first, cancel and run tapkit wait."
    }

    /// The request to put the card on the reader is shown anyway.
    private static func lines(_ obstacle: Failure) -> [String] {
        obstacle.lines + (obstacle.code == .noCard || obstacle.hint.isEmpty ? [] : ["  " + obstacle.hint])
    }

    private static func words(_ request: HandRequest) -> String {
        switch request {
        case .attachReader: "Connect a reader…"
        case .layCard: "Put the card on the reader…"
        case .layCards: "Put the cards on the readers…"
        case .layNextCard: "Waiting for the next card…"
        case .layNextSigner(let missing):
            "Signed by \(missing.tally.signedBy.count) of \(missing.tally.threshold). Put "
                + missing.signers.map { $0.label ?? "the card of cosigner \($0.fingerprint)" }
                .joined(separator: " or ") + " on the reader…"
        }
    }
}
