import TapManager

/// What a manager tells, for people, or with `--json --progress` for programs.
struct NoticeText {
    private let notice: Notice

    init(_ notice: Notice) { self.notice = notice }

    /// What has to be said of a card that somebody tampered with, whatever it is used for.
    static let tampered = "The card says that somebody TAMPERED WITH it: do not trust it with money any more."

    /// What it means for a transaction that the store cannot be used.
    static let transactionNotKept = "The transaction is not stored there."

    /// Writes it to standard error.
    func write(to console: Console) {
        if case .request(.layNextSigner(let missing)) = notice, console.isFollowed {
            console.progress(JSONAnswer.text(NextSignerDocument(missing.tally)))
        } else {
            // A line of progress that is being redrawn makes room.
            if console.isErrorTerminal { console.redraw("") }
            console.note(lines: lines)
        }
    }

    private var lines: [String] {
        switch notice {
        case .request(let request): [Self.words(request)]
        case .obstacle(let error): Self.lines(Failure(error))
        case .tampered: [Self.tampered]
        case .cannotHelp(let card): ["\(card.label) cannot sign any of it."]
        case .accounts(let count, let needed):
            ["\(count) of \(needed) cards read. Lay the next one on the reader…"]
        case .review(let review, let findings):
            ["The card has told its keys, so more is known of what it signs:"]
                + ReviewText(review, findings: findings).lines
        case .vanished(let count, let server):
            [
                "\(count) transaction\(count == 1 ? " that was" : "s that were") deep in the chain "
                    + "\(count == 1 ? "is" : "are") not there any more, says \(server): it may lag behind, or be on another "
                    + "chain. Ask another server."
            ]
        case .restored(let id):
            [
                "The payment \(id.abbreviated) is stored again: your keys signed it, and it can still be confirmed. "
                    + "tapkit tx delete \(id.abbreviated) forgets it."
            ]
        case .overtaken(let id):
            [
                "The stored transaction \(id.abbreviated) can no longer be sent: another one that is in a block spends "
                    + "its coins. tapkit tx delete \(id.abbreviated) forgets it."
            ]
        case .sentUnstored(let id):
            [
                "The transaction \(id.abbreviated) was deleted from the store meanwhile, and stays so; it was sent all the "
                    + "same."
            ]
        case .feeRate(let rate, let blocks):
            ["Fee rate for \(blocks.counted("block")), says the server: \(rate)"]
        case .unconfirmedStay(let amount):
            ["\(amount.satoshis) sat are unconfirmed and are left alone; --unconfirmed includes them."]
        case .spendsUnconfirmed:
            ["It spends unconfirmed coins: if whoever paid them takes them back, it is worth nothing."]
        case .resumingSweep(let id): ["Resuming the stored transaction \(id.abbreviated)."]
        case .unsoundWallet(let error):
            [Failure(error)].map { "WARNING: \($0.message) \($0.hint)" }
        case .findings(let findings): FindingText.lines(findings)
        case .leftAway(_, let path, let own): ["The card was left at path \(path); its own is \(own) (tapkit derive)."]
        case .noBackup(let card, let file):
            ["A \(card.status.product.displayName) has no backup; \(file) is not written."]
        case .openingNotKept(_, let error):
            ["The store does not know that the slot's key was shown: \(Failure(error).message)"]
        case .keyIsHot:
            [
                "WARNING: The backup was opened on this machine, so its key is HOT now: move all its money to a new key."
            ]
        case .backupCutOff: ["The file was cut off: it ends in the middle of the path. The master key is whole."]
        case .notKept(let error): ["\(Failure(error).message) \(Self.transactionNotKept)"]
        }
    }

    /// That the card is to be laid down is said anyway.
    private static func lines(_ obstacle: Failure) -> [String] {
        obstacle.lines + (obstacle.code == .noCard || obstacle.hint.isEmpty ? [] : ["  " + obstacle.hint])
    }

    private static func words(_ request: HandRequest) -> String {
        switch request {
        case .attachReader: "Attach a reader…"
        case .layCard: "Lay the card on the reader…"
        case .layCards: "Lay the cards on the readers…"
        case .layNextCard: "Waiting for the next card…"
        case .layNextSigner(let missing):
            "Signed by \(missing.tally.signedBy.count) of \(missing.tally.threshold). Lay "
                + missing.signers.map { signer in
                    signer.card?.called(signer.name) ?? "the cosigner \(signer.fingerprint)"
                }
                .joined(separator: " or ") + " on the reader…"
        }
    }
}
